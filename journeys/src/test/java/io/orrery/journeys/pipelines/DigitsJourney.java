package io.orrery.journeys.pipelines;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.journeys.ServerProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/** Runs an example from data to a service by the command line. */
abstract class DigitsJourney extends PipelineJourney {
  private static final Path EXAMPLES =
      Path.of(System.getProperty("basedir")).resolveSibling("examples/pipelines");

  /** The run of an example, which ended well within two minutes. */
  JsonNode runs(String example) throws Exception {
    Path said = temp.resolve("said.txt");
    ProcessBuilder command =
        new ProcessBuilder(
                ServerProcess.command(
                    new String[] {
                      "pipeline", "run", EXAMPLES.resolve(example).normalize().toString(), "--watch"
                    }))
            .redirectErrorStream(true)
            .redirectOutput(said.toFile());
    command.environment().put("ORRERY_HOME", home().toString());
    Process process = command.start();
    assertThat(process.waitFor(3, TimeUnit.MINUTES)).isTrue();

    assertThat(process.exitValue()).as(Files.readString(said)).isZero();
    JsonNode run = server.get("/runs").path("items").path(0);
    Duration lasted =
        Duration.between(
            Instant.parse(run.path("createdAt").asText()),
            Instant.parse(run.path("endedAt").asText()));
    assertThat(lasted).isLessThan(Duration.ofMinutes(2));
    JsonNode whole = run(run.path("id").asText());
    assertThat(whole.path("steps")).hasSize(9);
    assertThat(step(whole, "test").path("outputs").path("right").path("value").asInt())
        .isGreaterThanOrEqualTo(40);
    assertThat(server.get("/models/digits-perceptron/versions").path("items")).hasSize(1);
    return whole;
  }
}
