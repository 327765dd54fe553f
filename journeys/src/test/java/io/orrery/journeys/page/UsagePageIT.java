package io.orrery.journeys.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.Browser;
import io.orrery.journeys.ServerProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** The use of projects over time: kept over a kill, shown as a chart, in sums and as CSV. */
@EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
class UsagePageIT {
  private static final int NARROW = 390;

  private static double trialHours(ServerProcess server, String query) throws Exception {
    double sum = 0;
    for (JsonNode item : server.get("/usage" + query).get("items")) {
      sum += item.at("/hours/trials").asDouble();
    }
    return sum;
  }

  @Test
  @Timeout(180)
  void aRunningTrialIsCountedAndShown(@TempDir Path temp) throws Exception {
    Path home = temp.resolve("home").toAbsolutePath();
    Path code = Files.createDirectories(temp.resolve("code"));
    Files.writeString(code.resolve("trial.sh"), "sleep 600\n");
    String config =
        """
        trialCommand: sh trial.sh
        trialCodeDirectory: %s
        trialConcurrency: 2
        maxTrialNumber: 2
        searchSpace: {x: {_type: uniform, _value: [0, 1]}}
        tuner: {name: Random}
        trainingService: {platform: local}
        """
            .formatted(code.toAbsolutePath());
    String id;
    try (ServerProcess server = ServerProcess.start(home)) {
      id = server.post("/experiments", config).get("id").asText();
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> server.get("/projects/public/usage").at("/used/trials").asLong() == 2);
      server.kill();
    }
    Files.deleteIfExists(home.resolve("server.json"));
    // A server looks as soon as it has started: from then on the trials count.
    try (ServerProcess server = ServerProcess.start(home)) {
      server.get("/experiments/" + id);
      server.kill();
    }
    Files.deleteIfExists(home.resolve("server.json"));
    Path bin = Files.createDirectories(home.resolveSibling("bin"));
    Path smi =
        Files.writeString(
            bin.resolve("nvidia-smi"),
            """
            #!/bin/sh
            case "$*" in *utilization*) echo "0, 0, 3, A100"; echo "1, 87, 9000, A100" ;; esac
            """);
    Files.setPosixFilePermissions(smi, PosixFilePermissions.fromString("rwxr-xr-x"));
    try (ServerProcess server =
            ServerProcess.begin(
                    home,
                    List.of("--port", "0", "--router-port", "off"),
                    Map.of("PATH", bin + ":" + System.getenv("PATH")))
                .ready();
        Chromium chromium = Chromium.launch()) {
      await()
          .atMost(Duration.ofSeconds(90))
          .until(() -> trialHours(server, "?step=5m&by=kind") > 0);
      JsonNode object = server.get("/usage?by=object").get("items").get(0);
      assertThat(object.get("kind").asText()).isEqualTo("experiment");
      assertThat(object.get("name").asText()).isEqualTo(id);
      assertThat(object.get("project").asText()).isEqualTo("public");
      assertThat(trialHours(server, "?project=none")).isZero();
      assertThat(trialHours(server, "?kind=service")).isZero();

      for (int width : new int[] {NARROW, 1440}) {
        var options = new Browser.NewContextOptions().setViewportSize(width, 900);
        try (Visit visit =
            new Visit(chromium, server.url(), options).to("/usage?step=5m&by=kind&of=trials")) {
          assertThat(visit.at("table[aria-label=Sums] tr[data-key=experiment]")).isVisible();
          assertThat(visit.at("usage-chart canvas")).isVisible();
          assertThat(visit.at("table[aria-label=Now]")).containsText(id);
          assertThat(visit.at("table[aria-label=GPUs] tbody tr").first()).containsText("free");
          assertThat(visit.at("table[aria-label=GPUs]")).containsText("87 %");
          visit.at("select[aria-label=Time]").selectOption("1d");
          visit.at("select[aria-label=By]").selectOption("object");
          assertThat(visit.at("table[aria-label=Sums]")).containsText("experiment " + id);
          assertThat(visit.page().evaluate("document.documentElement.scrollWidth"))
              .isEqualTo(width);
          assertThat(visit.at("a[download]"))
              .hasAttribute("href", "api/v1/usage/export?step=1d&by=object");
        }
      }
      server.post("/experiments/" + id + "/stop", "");
      server.awaitStatus(id, Duration.ofSeconds(30), "STOPPED");
    }
  }
}
