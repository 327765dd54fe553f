package io.orrery.gateway.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import io.orrery.gateway.journey.ServerProcess;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The page of the morning, with a run that asks, one that failed, and a schedule. */
@Timeout(120)
class OverviewIT {
  @TempDir Path home;

  private static Locator section(Visit visit, String title) {
    return visit.at("section:has(h2:text-is('" + title + "'))");
  }

  private static void put(ServerProcess server, String name, String rest) throws Exception {
    String text = "{kind: Pipeline, name: %s, %s}".formatted(name, rest);
    var done = server.send("PUT", "/pipelines/" + name, BodyPublishers.ofString(text));
    assertThat(done.statusCode()).as(done.body()).isEqualTo(201);
  }

  @Test
  void whatWaitsWhatFailedAndWhatIsDueNextAreSaidWithTheirReasons() throws Exception {
    try (ServerProcess server =
            ServerProcess.begin(
                    home.resolve("home").toAbsolutePath(),
                    List.of("--port", "0", "--router-port", "0"),
                    Map.of())
                .ready();
        Chromium chromium = Chromium.launch();
        Visit visit = new Visit(chromium, server.url())) {
      put(server, "asks", "tasks: [{name: ask, approval: 'Go on now?'}]");
      put(server, "falls", "tasks: [{name: fall, command: exit 3}]");
      put(server, "yearly", "schedule: {cron: '0 3 1 1 *'}, tasks: [{name: one, command: echo}]");
      server.post("/pipelines/asks/run", "{}");
      server.post("/pipelines/falls/run", "{}");

      visit.to("/overview");
      assertThat(section(visit, "Waits")).containsText("asks, ask");
      assertThat(section(visit, "Waits")).containsText("Go on now?");
      assertThat(section(visit, "Waits").locator(".pill")).hasText("Asks a person");
      assertThat(section(visit, "Failed today")).containsText("falls");
      assertThat(section(visit, "Due next")).containsText("yearly");
      assertThat(section(visit, "Needs attention")).containsText("All services are well.");
      section(visit, "Waits").locator("a").click();
      visit.at("[data-answer=approve]").click();
      assertThat(visit.at(".title .pill")).hasText("Succeeded");
      visit.to("/overview");
      assertThat(section(visit, "Waits")).containsText("Nothing waits");

      Pure waiting = visit.pure("overview/waiting.js");
      waiting.gives(
          """
          nextOf([null, {pipeline: 'a', paused: true, upcoming: ['2026-01-01T00:00:00Z']},
            {pipeline: 'b', paused: false, upcoming: ['2026-01-03T00:00:00Z', '2026-01-05T00:00:00Z']},
            {pipeline: 'c', paused: false, upcoming: ['2025-01-01T00:00:00Z', '2026-01-04T00:00:00Z']}],
            Date.parse('2026-01-01T00:00:00Z')).map(({pipeline}) => pipeline)
          """,
          List.of("b", "c", "b"));
    }
  }
}
