package io.orrery.journeys.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Tests the panel of a trial: what it is, what it writes, and what can be done about it. */
@Timeout(120)
class TrialPanelIT extends InShop {
  /** Looks at the table and opens the first trial in it. */
  private static Visit openFirst(String experiment) {
    Visit visit =
        new Visit(
                chromium,
                shop.server().url(),
                new Browser.NewContextOptions()
                    .setViewportSize(1440, 900)
                    .setPermissions(List.of("clipboard-read", "clipboard-write")))
            .to("/experiments/" + experiment + "/trials?sort=sequenceId");
    visit.at(".rows .row[data-trial]").first().click();
    assertThat(visit.at(".panel header .pill")).isVisible();
    return visit;
  }

  @Test
  void itsLogIsFollowedWhileItRuns() throws Exception {
    String id = shop.create("log", "1", "waits");
    try (Visit visit = openFirst(id)) {
      visit.button("Log").click();
      Locator log = visit.at("pre.log");
      assertThat(log).containsText("trial with x=1");
      assertThat(visit.at("trial-log")).containsText("Follows as the trial writes");
      shop.openGate();
      assertThat(log).containsText("the gate is open");
      assertThat(visit.at("trial-log")).containsText("The end");
      visit.at("trial-log input").fill("GATE");
      assertThat(log).hasText("the gate is open");
      visit.at("trial-log select").first().selectOption("stderr");
      assertThat(visit.at("trial-log")).containsText("Nothing was written");
    }
  }

  @Test
  void whatItLeftIsListedAndTakenAlong() throws Exception {
    String id = shop.finished("files", "1", "quick");
    try (Visit visit = openFirst(id)) {
      visit.button("Files").click();
      Locator stdout = visit.at("trial-files a:has-text('stdout')");
      Download taken = visit.page().waitForDownload(stdout::click);
      assertThat(Files.readString(taken.path())).contains("trial with x=1");

      visit.button("Open in a notebook").click();
      assertThat(visit.at("notebook-opener")).containsText("Copied to /mnt/");
      assertThat(visit.button("Create a notebook")).isVisible();
      visit.at("notebook-opener a").click();
      assertThat(visit.at("tr[data-name=stdout]")).isVisible();
    }
  }

  @Test
  void itsResultGrowsAndItsParametersCanBeCopied() throws Exception {
    String id = shop.create("result", "1", "waits");
    try (Visit visit = openFirst(id)) {
      assertThat(visit.at(".panel canvas").first()).isVisible();
      assertThat(visit.at(".panel table.pairs").first()).containsText("waits");
      assertThat(visit.at(".panel")).containsText("Directory");
      shop.openGate();
      assertThat(visit.at(".panel .metric")).hasText("1");
      assertThat(visit.at(".panel header .pill")).hasText("Succeeded");
      for (String[] form :
          new String[][] {
            {"Python", "{\"x\": 1, \"kind\": \"waits\"}"}, {"YAML", "x: 1\nkind: waits\n"}
          }) {
        visit.at(".panel summary").click();
        visit.button(form[0]).click();
        assertThat(visit.at(".toast").last()).containsText(form[0]);
        assertThat(visit.page().evaluate("navigator.clipboard.readText()")).isEqualTo(form[1]);
      }
    }
  }

  /** G4. */
  @Test
  void aFailedTrialOpensOnItsStderrWithItsReasonAbove() throws Exception {
    String id = shop.finished("failed", "1", "fails");
    try (Visit visit = openFirst(id)) {
      assertThat(visit.at("pre.log")).hasText("no luck");
      assertThat(visit.at("trial-log select").first()).hasValue("stderr");
      assertThat(visit.at(".panel .reason")).containsText("exit code 3");
      visit.button("Result").click();
      assertThat(visit.at(".panel .metric")).isVisible();
      assertThat(visit.at(".panel .reason")).containsText("exit code 3");
    }
  }

  /** G5: what the server would refuse is not offered. */
  @Test
  void aRetryIsOfferedOnlyWhereTheServerTakesIt() throws Exception {
    String succeeded = shop.finished("succeeded", "1", "quick");
    try (Visit visit = openFirst(succeeded)) {
      assertThat(visit.button("Customised copy")).isVisible();
      assertThat(visit.button("Retry")).hasCount(0);
    }
    String failed = shop.finished("failed once", "1", "fails");
    try (Visit visit = openFirst(failed)) {
      assertThat(visit.button("Retry")).hasCount(1);
    }
    String stopped = shop.create("stopped", "1", "waits");
    // One that is stopped before it has a trial shows none.
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() ->
            !shop.server().get("/experiments/" + stopped + "/trials").path("items").isEmpty());
    shop.server().post("/experiments/" + stopped + "/stop", "");
    shop.server().awaitStatus(stopped, Duration.ofSeconds(60), "STOPPED");
    try (Visit visit = openFirst(stopped)) {
      assertThat(visit.button("Customised copy")).isVisible();
      assertThat(visit.button("Retry")).hasCount(0);
    }
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void itIsKilledAndRunsAgain() throws Exception {
    String id = shop.create("killed", "1, 2", "waits");
    try (Visit visit = openFirst(id)) {
      visit.button("Kill").click();
      visit.at("dialog[open] button.danger").click();
      assertThat(visit.at(".panel header .pill")).hasText("Killed");
      visit.button("Retry").first().click();
      assertThat(visit.at(".panel header .pill")).hasText("Running");
      assertThat(visit.at(".panel")).containsText("Attempt2");
      shop.openGate();
      assertThat(visit.at(".panel header .pill")).hasText("Succeeded");
    }
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void aCopyWithOtherParametersIsQueuedWithAWarningOutsideOfTheSpace() throws Exception {
    String id = shop.create("custom", "1, 2", "waits");
    String made;
    try (Visit visit = openFirst(id)) {
      visit.button("Customised copy").click();
      visit.at("dialog[open] input[name=x]").fill("42");
      assertThat(visit.at("dialog[open] .warned")).containsText("outside");
      visit.at("dialog[open] input[name=kind]").fill("quick");
      visit.button("Run it").click();
      assertThat(visit.at(".panel table.pairs").first()).containsText("42");
      made = visit.at(".panel h2 .code").textContent();
      shop.openGate();
      assertThat(visit.at(".panel .metric")).hasText("42");
    }
    assertThat(shop.trial(id, "42")).isEqualTo(made);
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void severalAreKilledTogether() throws Exception {
    String id = shop.create("together", "1, 2", "waits");
    try (Visit visit = openFirst(id)) {
      visit.page().keyboard().press("Escape");
      assertThat(visit.at(".rows .pill[data-status=RUNNING]")).hasCount(2);
      visit.at(".rows .row[data-trial] input").nth(0).check();
      visit.at(".rows .row[data-trial] input").nth(1).check();
      visit.button("Kill").click();
      visit.at("dialog[open] button.danger").click();
      assertThat(visit.at(".toast")).containsText("2 of 2 trials killed");
      assertThat(visit.at(".rows .pill[data-status=USER_CANCELED]")).hasCount(2);
    }
  }
}
