package io.orrery.compute.storage;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.orrery.compute.azure.AzureCloud;
import io.orrery.core.net.FreePort;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Microsoft's own emulator of Azure Storage; installed with npm where that can be. */
public final class Azurite implements AutoCloseable {
  public static final String ACCOUNT = "devstoreaccount1";

  /** The same in every Azurite, and no secret. */
  public static final String KEY =
      "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

  private static final String VERSION = "3.35.0";
  private static final int INSTALLING_SECONDS = 50;

  private final Path program;
  private final Path directory;
  private final int port;
  private @Nullable Process process;

  private Azurite(Path program, Path directory, int port) {
    this.program = program;
    this.directory = directory;
    this.port = port;
  }

  /** Starts one; skips the test where there is none and none can be had. */
  public static Azurite start(Path directory) throws Exception {
    Path program = installed();
    Azurite azurite = new Azurite(program, directory, FreePort.take());
    azurite.start();
    return azurite;
  }

  /** Starts it with what it had before, on the port that it had. */
  public void start() throws Exception {
    Process fresh =
        new ProcessBuilder(
                program.toString(),
                "--blobHost",
                "127.0.0.1",
                "--blobPort",
                Integer.toString(port),
                "--location",
                directory.toString(),
                "--silent",
                "--skipApiVersionCheck",
                "--disableTelemetry")
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("azurite.log").toFile())
            .start();
    process = fresh;
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!answers()) {
      if (!fresh.isAlive() || System.nanoTime() > end) {
        close();
        throw new IOException(Files.readString(directory.resolve("azurite.log")));
      }
      Thread.sleep(50);
    }
  }

  private static Path installed() throws Exception {
    // One for all modules: each is tested in its own directory, beside the others.
    Path place =
        Path.of("")
            .toAbsolutePath()
            .resolveSibling("orchestrator-verticles/target/azurite-" + VERSION);
    Path program = place.resolve("node_modules/.bin/azurite-blob");
    if (!Files.exists(program)) {
      Files.createDirectories(place);
      int code;
      try {
        Process npm =
            new ProcessBuilder(
                    List.of(
                        "npm",
                        "install",
                        "--prefix",
                        place.toString(),
                        "--no-audit",
                        "--no-fund",
                        "--silent",
                        "azurite@" + VERSION))
                .redirectErrorStream(true)
                .redirectOutput(place.resolve("npm.log").toFile())
                .start();
        boolean done = npm.waitFor(INSTALLING_SECONDS, TimeUnit.SECONDS);
        npm.descendants().forEach(ProcessHandle::destroy);
        npm.destroy();
        code = done ? npm.exitValue() : -1;
      } catch (IOException none) {
        code = -1;
      }
      assumeTrue(code == 0 && Files.exists(program), "npm cannot install azurite here");
    }
    return program;
  }

  private boolean answers() {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      return socket.isConnected();
    } catch (IOException notYet) {
      return false;
    }
  }

  /** Where its account is. */
  public String url() {
    return "http://127.0.0.1:" + port + "/" + ACCOUNT;
  }

  /** A cloud whose storage accounts are all here. */
  public AzureCloud cloud() {
    return new AzureCloud(
        "http://127.0.0.1:1",
        "http://127.0.0.1:1/%s",
        "http://127.0.0.1:1/%s",
        "http://127.0.0.1:" + port + "/%s",
        "none");
  }

  static Map<String, String> variables() {
    return Map.of("STORAGE_KEY", KEY);
  }

  /** Ends it; what it has stays on the disk. */
  @Override
  public void close() {
    Process running = process;
    if (running != null) {
      running.descendants().forEach(ProcessHandle::destroy);
      running.destroy();
      // It writes down what it has; one that hangs is not waited for.
      running.onExit().completeOnTimeout(running, 10, TimeUnit.SECONDS).join().destroyForcibly();
    }
  }
}
