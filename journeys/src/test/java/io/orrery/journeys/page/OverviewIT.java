package io.orrery.journeys.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The page of the morning, with a run that asks, one that failed, and a schedule. */
@Timeout(120)
class OverviewIT extends OwnServer {
  @Test
  void whatWaitsWhatFailedAndWhatIsDueNextAreSaidWithTheirReasons() throws Exception {
    try (Visit visit = visit("/overview")) {
      put("/pipelines/asks", "{tasks: [{name: ask, approval: 'Go on now?'}]}");
      put("/pipelines/falls", "{tasks: [{name: fall, command: exit 3}]}");
      put(
          "/pipelines/yearly",
          "{schedule: {cron: '0 3 1 1 *'}, tasks: [{name: one, command: echo}]}");
      server.post("/pipelines/asks/run", "{}");
      server.post("/pipelines/falls/run", "{}");

      List<String> asked = new CopyOnWriteArrayList<>();
      visit.page().onRequest(request -> asked.add(request.url()));
      visit.to("/account").to("/overview");
      assertThat(section(visit, "Waits")).containsText("asks, ask");
      assertThat(section(visit, "Waits")).containsText("Go on now?");
      assertThat(section(visit, "Waits").locator(".pill")).hasText("Asks a person");
      assertThat(section(visit, "Failed today")).containsText("falls");
      assertThat(section(visit, "Due next")).containsText("yearly");
      assertThat(asked.stream().filter(url -> url.contains("/schedule")).toList())
          .singleElement()
          .asString()
          .contains("/api/v1/schedules?");
      assertThat(section(visit, "Needs attention")).containsText("All services are well.");
      section(visit, "Waits").locator("a").click();
      visit.at("[data-answer=approve]").click();
      assertThat(visit.at(".title .pill")).hasText("Succeeded");
      visit.to("/overview");
      assertThat(section(visit, "Waits")).containsText("Nothing waits");

      Pure waiting = visit.pure("overview/waiting.js");
      waiting.gives(
          """
          nextOf([{pipeline: 'a', paused: true, upcoming: ['2026-01-01T00:00:00Z']},
            {pipeline: 'b', paused: false, upcoming: ['2026-01-03T00:00:00Z', '2026-01-05T00:00:00Z']},
            {pipeline: 'c', paused: false, upcoming: ['2025-01-01T00:00:00Z', '2026-01-04T00:00:00Z']}],
            Date.parse('2026-01-01T00:00:00Z')).map(({pipeline}) => pipeline)
          """,
          List.of("b", "c", "b"));
    }
  }
}
