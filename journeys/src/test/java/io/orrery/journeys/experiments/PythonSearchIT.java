package io.orrery.journeys.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.journeys.ServerProcess;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Searches by {@code orrery.search} from a script, with a real server. */
@Timeout(120)
class PythonSearchIT {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir Path directory;

  @Test
  void functionsOfAScriptAreSearchedAndAnInterruptLeavesNothing() throws Exception {
    try (ServerProcess server = ServerProcess.start(directory.resolve("a home"))) {
      Path errors = directory.resolve("errors");
      Process script = start(server, errors);
      try (BufferedReader out = script.inputReader()) {
        String line = out.readLine();
        assertThat(line).as(Files.readString(errors)).isNotNull();
        checkSeen(Json.parse(line), server);

        Path begun = directory.resolve("begun");
        await()
            .atMost(PATIENCE)
            .until(() -> Files.exists(begun) && Files.readAllLines(begun).size() == 2);
        new ProcessBuilder("kill", "-INT", Long.toString(script.pid())).start().waitFor();

        assertThat(script.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(Files.readString(errors)).contains("KeyboardInterrupt");
        List<JsonNode> hanging =
            server
                .get("/experiments")
                .path("items")
                .valueStream()
                .filter(each -> each.path("name").asText().equals("hangs"))
                .toList();
        assertThat(hanging).hasSize(1);
        assertThat(hanging.getFirst().path("status").asText()).isEqualTo("STOPPED");
        for (String pid : Files.readAllLines(begun)) {
          assertThat(Path.of("/proc", pid)).doesNotExist();
        }
      }
    }
  }

  private static void checkSeen(JsonNode seen, ServerProcess server) throws Exception {
    assertThat(seen.path("status").asText()).isEqualTo("DONE");
    assertThat(seen.path("best").toString()).isEqualTo("{\"x\":3,\"k\":0}");
    assertThat(seen.path("value").asDouble()).isZero();
    assertThat(seen.path("trials").asInt()).isEqualTo(12);
    assertThat(seen.path("again")).isEqualTo(seen.path("same"));
    assertThat(seen.path("picture").asText()).contains("<polyline").contains("bowl");
    assertThat(seen.path("failed").asText()).contains("ZeroDivisionError").contains("search.py");
    assertThat(seen.path("refused").asText()).contains("maxTrialNumber");
    assertThat(seen.path("here").asDouble()).isEqualTo(3);
    assertThat(seen.path("command").asDouble()).isEqualTo(4);
    assertThat(seen.path("there").asText()).contains("'x': 3").contains("value=0");
    JsonNode curve =
        server.get("/experiments/" + seen.path("id").asText() + "/trials?limit=1").path("items");
    assertThat(curve).hasSize(1);
  }

  private Process start(ServerProcess server, Path errors) throws Exception {
    Path script = Path.of(PythonSearchIT.class.getResource("/nni/search.py").toURI());
    ProcessBuilder builder = new ProcessBuilder("python3", script.toString(), directory.toString());
    builder.environment().put("ORRERY_HOME", server.home().toString());
    builder.environment().put("PYTHONPATH", server.home().resolve("sdk/current/compat").toString());
    return builder.redirectError(errors.toFile()).start();
  }
}
