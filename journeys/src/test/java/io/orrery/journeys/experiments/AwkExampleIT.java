package io.orrery.journeys.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Document;
import io.orrery.journeys.ServerProcess;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The example without an SDK, as it stands. */
class AwkExampleIT {
  private static final Path EXAMPLE = Path.of("..", "examples", "awk").toAbsolutePath().normalize();
  private static final String FINAL = "orrery: final ";

  @Test
  @Timeout(240)
  void searchingFindsBetterParametersThanTheDefaultsOfTheScript(@TempDir Path temp)
      throws Exception {
    String config = Files.readString(EXAMPLE.resolve("experiment.yml"));
    double byHand = byHand(Document.read(config).root().get("trialCommand").textValue());
    try (ServerProcess server = ServerProcess.start(temp.resolve("home").toAbsolutePath())) {
      String base = URLEncoder.encode(EXAMPLE.toString(), StandardCharsets.UTF_8);
      String id = server.post("/experiments?base=" + base, config).get("id").textValue();
      JsonNode ended = server.awaitStatus(id, Duration.ofSeconds(200), "DONE", "FAILED", "ERROR");
      assertThat(ended.get("status").textValue()).as("%s", ended).isEqualTo("DONE");

      List<JsonNode> trials = server.trials(id);
      assertThat(trials)
          .hasSize(20)
          .allSatisfy(trial -> assertThat(trial.get("status").textValue()).isEqualTo("SUCCEEDED"));
      // By some twenty of the 599 images: more than rounding in another awk can move.
      assertThat(ended.at("/best/metric").doubleValue()).isGreaterThan(byHand + 0.035);
    }
  }

  private static double byHand(String command) throws Exception {
    Process process =
        new ProcessBuilder("sh", "-c", command)
            .directory(EXAMPLE.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    return process
        .inputReader()
        .lines()
        .filter(line -> line.startsWith(FINAL))
        .mapToDouble(line -> Double.parseDouble(line.substring(FINAL.length())))
        .findFirst()
        .orElseThrow();
  }
}
