package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.cli.CommandLineRun.Result;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Follows runs of pipelines, with and without a person who watches. */
class RunPictureIT {
  private static final String RUN =
      """
      {"id": "r1", "pipeline": "p", "version": %d, "status": "%s", "error": null, "steps": [
        {"name": "a", "task": "a", "status": "SUCCEEDED"},
        {"name": "b", "task": "b", "status": "%s"}]}
      """;

  @TempDir Path directory;
  private final FakeServer server = new FakeServer();
  private CommandLineRun run;

  @BeforeEach
  void prepare() {
    run = new CommandLineRun(directory).at(server);
    run.environment.put("COLUMNS", "40");
    server
        .on("POST /api/v1/pipelines/p/run", 201, RUN.formatted(2, "RUNNING", "RUNNING"))
        .on(
            "GET /api/v1/pipelines/p",
            200,
            "{\"name\": \"p\", \"version\": 2, \"tasks\": [{\"name\": \"a\"},"
                + " {\"name\": \"b\", \"after\": [\"a\"]}]}");
  }

  @AfterEach
  void close() {
    server.close();
  }

  private void goesOn(int version) {
    server
        .on("GET /api/v1/runs/r1", 200, RUN.formatted(version, "RUNNING", "RUNNING"))
        .on("GET /api/v1/runs/r1", 200, RUN.formatted(version, "SUCCEEDED", "SUCCEEDED"));
  }

  @Test
  void aPersonSeesTheGraphDrawnOverItself() {
    run.interactive = true;
    goesOn(2);

    Result result = run.run("pipeline", "run", "p", "--watch");

    assertThat(result.err())
        .contains("a     SUCCEEDED\u001b[K\n└─ b  RUNNING\u001b[K\n\u001b[J")
        .endsWith("\u001b[2A\ra     SUCCEEDED\u001b[K\n└─ b  SUCCEEDED\u001b[K\n\u001b[J");
    assertThat(result.out()).isEqualTo("run r1 SUCCEEDED\n");
    assertThat(result.code()).isZero();
  }

  @Test
  void aGraphThatDoesNotFitOnTheScreenIsALineForEachChange() {
    run.interactive = true;
    run.environment.put("LINES", "2");
    goesOn(2);

    assertThat(run.run("pipeline", "run", "p", "--watch").err())
        .doesNotContain("\u001b")
        .contains("b                        RUNNING\n", "b                        SUCCEEDED\n");
  }

  @Test
  void anEarlierVersionIsDrawnWithoutEdgesAndAFileGetsLines() {
    run.interactive = true;
    goesOn(1);
    assertThat(run.run("run", "watch", "r1").err()).contains("a  SUCCEEDED\u001b[K\nb  ");

    run.interactive = false;
    assertThat(run.run("run", "watch", "r1").err())
        .isEqualTo("a                        SUCCEEDED\nb                        SUCCEEDED\n");
  }
}
