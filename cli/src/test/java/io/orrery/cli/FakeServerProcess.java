package io.orrery.cli;

import io.orrery.cli.server.ServerLauncher;
import io.orrery.cli.server.ServerProgram;
import io.orrery.cli.server.UpOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/**
 * A program that behaves like {@code orrery up}, in a process of its own: listens, writes {@code
 * server.json}, serves one experiment that is done at the second look. A home whose name contains
 * {@code broken} makes it fail, {@code refusing} makes it refuse its configuration.
 */
final class FakeServerProcess {
  static final String EXPERIMENT =
      """
      {"id":"abcdefgh","name":"fake","status":"%s","trialCounts":{"SUCCEEDED":1},"maxTrialNumber":1,
       "best":{"trial":"trial1","metric":0.5,"parameters":{"x":1}},"error":null}\
      """;

  private FakeServerProcess() {}

  /** Starts this program. */
  static ServerProgram program() {
    return new ServerProgram(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            FakeServerProcess.class.getName()));
  }

  public static void main(String[] arguments) {
    ServerLauncher serve = FakeServerProcess::serve;
    System.exit(Orrery.run("orrery", arguments, serve, (file, followed) -> 0));
  }

  private static int serve(UpOptions options) {
    if (options.home().toString().contains("broken")) {
      System.out.println("the port is taken by a kettle");
      return 1;
    }
    if (options.home().toString().contains("refusing")) {
      System.out.println("orrery.yml:1: there is no key http.prt");
      return 2;
    }
    try (FakeServer server = new FakeServer(options.port() == null ? 0 : options.port())) {
      server
          .on("POST /api/v1/experiments", 201, EXPERIMENT.formatted("RUNNING"))
          .on("GET /api/v1/experiments/abcdefgh", 200, EXPERIMENT.formatted("RUNNING"))
          .on("GET /api/v1/experiments/abcdefgh", 200, EXPERIMENT.formatted("DONE"))
          .on("GET /api/v1/experiments/abcdefgh/trials", 200, "{\"items\":[],\"next\":null}");
      Path part = options.home().resolve("server.json.part");
      Files.writeString(
          part,
          "{\"pid\":%d,\"url\":\"%s\",\"token\":\"secret\"}"
              .formatted(ProcessHandle.current().pid(), server.url()));
      Files.move(part, options.home().resolve("server.json"), StandardCopyOption.ATOMIC_MOVE);
      Thread.currentThread().join(60_000);
      return 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      return 1;
    }
  }
}
