package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.cli.CommandLineRun.Result;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shows the status of a server as it says it. */
final class StatusIT {
  @TempDir Path directory;

  @Test
  void aServerThatIsNotReadyShowsWhatItsChecksHaveFound() {
    try (FakeServer server = new FakeServer()) {
      server
          .on("GET /health/ready", 503, "{\"status\":\"failing\"}")
          .on(
              "GET /api/v1/status",
              200,
              "{\"checks\":[{\"name\":\"disk\",\"state\":\"failed\",\"found\":\"it is full\",\"hint\":\"free some\"}]}");
      CommandLineRun run = new CommandLineRun(directory).at(server);
      // The first answer of the fake server is that it is ready.
      assertThat(run.run("status").code()).isZero();

      Result failing = run.run("status");

      assertThat(failing.code()).isEqualTo(1);
      assertThat(failing.out())
          .contains("it can store nothing")
          .containsPattern("disk +failed +it is full +free some");
    }
  }

  @Test
  void whatAnotherServerHasFoundNamesItAndItsTime() {
    try (FakeServer server = new FakeServer()) {
      server.on(
          "GET /api/v1/status",
          200,
          """
          {"at":"2026-03-01T00:10:00.000Z","checks":[
           {"name":"disk","state":"failed","found":"it is full","hint":"free some",
            "checkedAt":"2026-03-01T00:00:00.000Z",
            "server":{"id":"m2","url":"http://b:8080","host":"b"}},
           {"name":"sync","state":"warning","found":"60 ms","hint":null,
            "checkedAt":"2026-03-01T00:09:58.000Z","server":null}]}
          """);

      Result status = new CommandLineRun(directory).at(server).run("status");

      assertThat(status.out())
          .contains("disk (b, http://b:8080)", "it is full (as of 2026-03-01T00:00:00.000Z)")
          .containsPattern("sync +warning +60 ms");
    }
  }
}
