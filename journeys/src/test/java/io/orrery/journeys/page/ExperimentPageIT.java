package io.orrery.journeys.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Route.FulfillOptions;
import io.orrery.core.json.Json;
import java.nio.file.Files;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** An experiment that runs: watched, steered, and in the end deleted. */
@Timeout(120)
class ExperimentPageIT extends InShop {
  private static Visit visit(String address) {
    return new Visit(chromium, shop.server().url()).to(address);
  }

  @Test
  void itIsFollowedLiveFromTheFirstTrialToTheEnd() throws Exception {
    String id = shop.create("live", "1, 2, 3", "waits");
    try (Visit visit = visit("/experiments/" + id)) {
      assertThat(visit.at(".page-head .pill")).hasText("Running");
      assertThat(visit.at(".counts a.busy")).containsText("2");
      assertThat(visit.at("history-chart")).containsText("Results appear here");
      shop.openGate();
      assertThat(visit.at(".page-head .pill")).hasText("Done");
      assertThat(visit.at("history-chart canvas").first()).isVisible();
      assertThat(visit.at("duration-chart canvas").first()).isVisible();
      assertThat(visit.at(".figure:has-text('Best')")).containsText("3");
      assertThat(visit.at("top-trials tbody tr")).hasCount(3);
    }
  }

  @Test
  void limitsAreEditedWhereTheyStand() throws Exception {
    String id = shop.create("limits", "1, 2, 3, 4, 5", "waits");
    try (Visit visit = visit("/experiments/" + id)) {
      edit(visit, "trialConcurrency", "3");
      assertThat(visit.at(".counts a.busy")).containsText("3");
      edit(visit, "maxTrialNumber", "4");
      assertThat(visit.at("[data-limit=maxTrialNumber]")).hasText("4");
      visit.at("[data-limit=maxExperimentDuration]").click();
      visit.at(".limits select").selectOption("h");
      visit.at(".limits input").fill("2");
      visit.at(".limits input").press("Enter");
      assertThat(visit.at("[data-limit=maxExperimentDuration]")).hasText("2 h");

      visit.at("[data-limit=trialConcurrency]").click();
      visit.at(".limits input").press("Escape");
      assertThat(visit.at("[data-limit=trialConcurrency]")).isFocused();
    }
    JsonNode now = shop.server().get("/experiments/" + id);
    assertThat(now.get("trialConcurrency").intValue()).isEqualTo(3);
    assertThat(now.get("maxTrialNumber").intValue()).isEqualTo(4);
    assertThat(now.get("maxExperimentDuration").intValue()).isEqualTo(7200);
    shop.server().post("/experiments/" + id + "/stop", "");
  }

  private static void edit(Visit visit, String limit, String value) {
    visit.at("[data-limit=" + limit + "]").click();
    visit.at(".limits input").fill(value);
    visit.button("Save").click();
    assertThat(visit.at("[data-limit=" + limit + "]")).hasText(value);
  }

  @Test
  void itIsPausedResumedStoppedAndDeleted() throws Exception {
    String id = shop.create("steered", "1, 2, 3", "waits");
    try (Visit visit = visit("/experiments/" + id)) {
      visit.button("Pause").click();
      assertThat(visit.at(".page-head .pill")).hasText("Paused");
      visit.button("Resume").click();
      assertThat(visit.at(".page-head .pill")).hasText("Running");
      visit.button("Stop").click();
      assertThat(visit.at("dialog[open]")).containsText("Stop steered?");
      visit.button("Cancel").click();
      assertThat(visit.at(".page-head .pill")).hasText("Running");
      visit.button("Stop").click();
      visit.at("dialog[open] button.danger").click();
      assertThat(visit.at(".page-head .pill")).hasText("Stopped");

      visit.at("summary[title='More actions']").click();
      visit.button("Delete").click();
      visit.at("dialog[open] button.danger").click();
      assertThat(visit.at("h1")).hasText("Experiments");
      assertThat(visit.at("tr[data-id=" + id + "]")).hasCount(0);
      visit.to("/experiments/" + id);
      assertThat(visit.at("h1")).hasText("No such experiment");
    }
  }

  @Test
  void aLateAnswerTakesNothingBackOfWhatTheStreamTold() throws Exception {
    String here = shop.create("late answer", "1, 2, 3", "waits");
    try (Visit visit = visit("/experiments/" + here)) {
      visit.button("Stop").click();
      stopWithLateAnswer(visit, visit.at(".page-head .pill"));
      visit.at("summary[title='More actions']").click();
      assertThat(visit.button("Delete")).isVisible();
    }
    String listed = shop.create("late answer in the list", "1, 2, 3", "waits");
    try (Visit visit = visit("/")) {
      Locator row = visit.at("tr[data-id=" + listed + "]");
      row.locator("summary").click();
      row.locator("[data-command=stop]").click();
      stopWithLateAnswer(visit, row.locator(".pill"));
    }
  }

  /** Confirms a stop whose answer, that it is stopping, arrives when the page shows the end. */
  private static void stopWithLateAnswer(Visit visit, Locator pill) {
    AtomicReference<Runnable> answer = new AtomicReference<>();
    visit
        .page()
        .route(
            "**/stop",
            route -> {
              APIResponse stopping = route.fetch();
              answer.set(() -> route.fulfill(new FulfillOptions().setResponse(stopping)));
            });
    visit.at("dialog[open] button.danger").click();
    assertThat(pill).hasText("Stopped");
    answer.get().run();
    assertThat(visit.at(".toast")).containsText("Stopping");
    assertThat(pill).hasText("Stopped");
  }

  @Test
  void theListIsKeptCurrentFilteredAndDeletesInPlace() throws Exception {
    String ended = shop.finished("needle", "1", "quick");
    try (Visit visit = visit("/")) {
      assertThat(visit.at("tr[data-id=" + ended + "] .pill")).hasText("Done");
      String id = shop.create("came while looking", "1, 2, 3", "waits");
      Locator row = visit.at("tr[data-id=" + id + "]");
      assertThat(row.locator(".pill")).hasText("Running");
      visit.at("input[type=search]").fill("needle");
      assertThat(visit.at("tr[data-id]")).hasCount(1);
      visit.at("input[type=search]").fill("");
      visit.at("select[aria-label=Status]").selectOption("RUNNING");
      assertThat(visit.at("tr[data-id=" + ended + "]")).hasCount(0);
      shop.openGate();
      visit.at("select[aria-label=Status]").selectOption("");
      assertThat(row.locator(".pill")).hasText("Done");
      visit.at("select[aria-label=Created]").selectOption("dates");
      visit.page().getByLabel("Last day").fill("2020-02-29");
      assertThat(visit.at("experiment-list")).containsText("No experiment fits");
      visit.page().getByLabel("Last day").fill("");
      visit.page().getByLabel("First day").fill("2020-02-29");
      assertThat(row).hasCount(1);
      row.locator("summary").click();
      row.locator("[data-command=remove]").click();
      visit.at("dialog[open] button.danger").click();
      assertThat(row).hasCount(0);
      visit.link("needle").click();
      assertThat(visit.at("h1")).hasText("needle");
    }
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void configurationSearchSpaceAndResultsCanBeSeenAndTakenAlong() throws Exception {
    String id = shop.finished("taken along", "1, 2", "quick");
    try (Visit visit = visit("/experiments/" + id + "/configuration")) {
      assertThat(visit.at("pre.document")).containsText("trialCommand: bash trial.sh");
      visit.button("JSON").click();
      assertThat(visit.at("pre.document")).containsText("\"trialCommand\": \"bash trial.sh\"");
      assertThat(visit.at("table.pairs")).containsText("one of 1, 2");

      visit.at("summary[title='More actions']").click();
      Download csv = visit.page().waitForDownload(() -> visit.link("Results as CSV").click());
      assertThat(Files.readString(csv.path())).contains("x").contains("kind");
      visit.at("summary[title='More actions']").click();
      Download summary =
          visit.page().waitForDownload(() -> visit.button("Summary as JSON").click());
      JsonNode whole = Json.parse(Files.readString(summary.path()));
      assertThat(whole.get("trials")).hasSize(2);
      assertThat(whole.at("/intermediates/0/points")).hasSize(3);
    }
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void theParametersThatDecideStandFirstWithTheirShares() throws Exception {
    String id = shop.finished("weighed", "1, 2, 3, 4", "quick");
    try (Visit visit = visit("/experiments/" + id + "/parameters")) {
      assertThat(visit.at("importance-bars li")).hasCount(2);
      assertThat(visit.at("importance-bars li").first()).containsText("x");
      assertThat(visit.at("importance-bars li").first()).containsText("100 %");
      assertThat(visit.at("importance-bars")).containsText("from 4 of 4 trials");
    }
  }

  @Test
  void aNewSearchSpaceIsTakenOrRefusedInPlace() throws Exception {
    String id = shop.create("space", "1, 2, 3", "waits");
    try (Visit visit = visit("/experiments/" + id + "/configuration")) {
      visit.button("Edit").click();
      visit.at("textarea").fill("{\"x\": {\"_type\": \"nonsense\", \"_value\": [1]}}");
      visit.button("Save").click();
      assertThat(visit.at("configuration-tab .fault")).containsText("nonsense");
      visit
          .at("textarea")
          .fill(
              "{\"x\": {\"_type\": \"choice\", \"_value\": [7, 8]}, \"kind\": {\"_type\":"
                  + " \"choice\", \"_value\": [\"quick\"]}}");
      visit.button("Save").click();
      assertThat(visit.at("table.pairs")).containsText("one of 7, 8");
    }
    shop.server().post("/experiments/" + id + "/stop", "");
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void aFailureIsSaidAtTheTopWithTheWayToItsTrials() throws Exception {
    String id = shop.finished("hopeless", "1, 2", "fails");
    try (Visit visit = visit("/experiments/" + id)) {
      assertThat(visit.at(".trouble")).containsText("exit code 3");
      visit.link("See the failed trials").click();
      assertThat(visit.at(".rows .row[data-trial]")).hasCount(2);
      assertThat(visit.page()).hasURL(Pattern.compile(".*status=FAILED"));
    }
  }
}
