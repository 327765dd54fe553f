package io.orrery.journeys.router;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orrery.core.auth.BearerToken;
import io.orrery.journeys.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** A router that runs alone, with a service {@code first} and a token at its admin port. */
public final class RouterProcess implements AutoCloseable {
  private final Process process;

  private RouterProcess(Process process) {
    this.process = process;
  }

  public static RouterProcess start(Path directory) throws IOException {
    Path file = directory.resolve("routes.yml");
    Files.writeString(
        file,
        "listen: {port: 0}\nadmin: {port: 0, sha256: %s}\nservices: [{name: first}]\n"
            .formatted(new BearerToken("orrery_of_the_operator").sha256()));
    Path log = directory.resolve("router.log");
    RouterProcess router =
        new RouterProcess(
            new ProcessBuilder(ServerProcess.command("route", "--config", file.toString()))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start());
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> assertThat(log).content().contains("the router is ready"));
    return router;
  }

  public long pid() {
    return process.pid();
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
