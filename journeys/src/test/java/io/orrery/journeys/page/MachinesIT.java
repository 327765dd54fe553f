package io.orrery.journeys.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.assertions.LocatorAssertions;
import io.orrery.compute.remote.SshMachine;
import io.orrery.core.json.Json;
import io.orrery.journeys.ServerProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** The machines of an experiment, on real SSH servers, as its page shows them. */
@EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
@Timeout(300)
class MachinesIT {
  @TempDir Path temp;

  @Test
  void eachMachineIsShownWithItsTrialsAndOneThatIsAwayWithItsReason() throws Exception {
    Path code = Files.createDirectories(temp.resolve("code"));
    try (SshMachine here = new SshMachine(temp.resolve("here"));
        SshMachine there = new SshMachine(temp.resolve("there"));
        Chromium chromium = Chromium.launch();
        ServerProcess server =
            ServerProcess.begin(
                    temp.resolve("home"), List.of("--port", "0", "--router-port", "off"), Map.of())
                .ready()) {
      Path known =
          Files.writeString(temp.resolve("known_hosts"), here.knownHost() + there.knownHost());
      String config =
          Json.write(
              Map.of(
                  "experimentName",
                  "machines",
                  "trialCommand",
                  "sleep 300",
                  "trialCodeDirectory",
                  code.toString(),
                  "trialConcurrency",
                  3,
                  "maxTrialNumber",
                  4,
                  "searchSpace",
                  Map.of("x", Map.of("_type", "uniform", "_value", List.of(0, 1))),
                  "tuner",
                  Map.of("name", "Random"),
                  "trainingService",
                  Map.of(
                      "platform",
                      "remote",
                      "knownHosts",
                      known.toString(),
                      "machineList",
                      List.of(here.entry(), there.entry()))));
      String id = server.post("/experiments", config).get("id").textValue();
      try (Visit visit = new Visit(chromium, server.url()).to("/experiments/" + id)) {
        assertThat(visit.at(".machines li")).hasCount(2);
        assertThat(visit.at(".machines li .pill.good")).hasCount(2);
        assertThat(row(visit, here)).containsText("trial");
        assertThat(row(visit, here)).containsText("heard");

        there.stop();

        assertThat(row(visit, there).locator(".pill")).hasText("Left out");
        assertThat(row(visit, there)).containsText("cannot be reached");
        assertThat(visit.at("machine-list header")).containsText("1 of 2 take trials");
        assertThat(visit.at("machine-list")).not().containsText(SshMachine.PASSWORD);

        there.start();

        // It is tried again less and less often.
        assertThat(row(visit, there).locator(".pill"))
            .hasText("There", new LocatorAssertions.HasTextOptions().setTimeout(120_000));
      } finally {
        server.post("/experiments/" + id + "/stop", "");
        server.awaitStatus(id, Duration.ofSeconds(60), "STOPPED");
      }
    }
  }

  private static Locator row(Visit visit, SshMachine machine) {
    return visit.at(
        ".machines li[data-machine='" + SshMachine.USER + "@127.0.0.1:" + machine.port() + "']");
  }
}
