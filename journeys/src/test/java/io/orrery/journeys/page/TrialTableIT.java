package io.orrery.journeys.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.BoundingBox;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Tests finding, ordering and comparing the trials of an experiment that has ended. */
@Timeout(120)
class TrialTableIT extends InShop {
  private static String id;

  @BeforeAll
  static void experiment() throws Exception {
    id = shop.finished("table", "3, 1, 2", "quick, fails");
  }

  private static Visit visit(String tab) {
    return new Visit(chromium, shop.server().url()).to("/experiments/" + id + "/" + tab);
  }

  private static void awaitColumn(Visit visit, String key, List<String> values) {
    visit.page().waitForCondition(() -> visit.column(key).equals(values));
  }

  @Test
  void rowsSortByAnyColumnAndKeepTheirOrderInTheAddress() {
    try (Visit visit = visit("trials")) {
      awaitColumn(visit, "sequenceId", List.of("5", "4", "3", "2", "1", "0"));
      visit.at("[data-column='parameters.x'] button").click();
      awaitColumn(visit, "parameters.x", List.of("3", "3", "2", "2", "1", "1"));
      visit.at("[data-column='parameters.x'] button").click();
      awaitColumn(visit, "parameters.x", List.of("1", "1", "2", "2", "3", "3"));
      assertThat(visit.at("[data-column='parameters.x']")).hasAttribute("aria-sort", "ascending");
      visit.at("[data-column=metric] button").click();
      awaitColumn(visit, "metric", List.of("3", "2", "1", "–", "–", "–"));
      visit.page().reload();
      awaitColumn(visit, "metric", List.of("3", "2", "1", "–", "–", "–"));
    }
  }

  @Test
  void searchAndStatusNarrowTheTable() throws Exception {
    String two = shop.trial(id, "2");
    try (Visit visit = visit("trials")) {
      visit.at("select[aria-label=Status]").selectOption("FAILED");
      assertThat(visit.at(".rows .row[data-trial]")).hasCount(3);
      visit.at("select[aria-label=Status]").selectOption("");
      assertThat(visit.at(".rows .row[data-trial]")).hasCount(6);
      visit.at("input[type=search]").fill(two);
      assertThat(visit.at(".rows .row[data-trial]")).hasCount(1);
      assertThat(visit.row(two)).isVisible();
      visit.at("input[type=search]").fill("nothing like it");
      assertThat(visit.at(".state")).containsText("No trial fits");
      visit.button("Show all").click();
      assertThat(visit.at(".rows .row[data-trial]")).hasCount(6);
    }
  }

  @Test
  void theChoiceOfColumnsIsRemembered() {
    try (Visit visit = visit("trials")) {
      assertThat(visit.at("[data-column='parameters.kind']")).isVisible();
      visit.at("summary[title=Columns]").click();
      visit.page().getByLabel("kind", labelled()).uncheck();
      visit.page().getByLabel("Exit code", labelled()).check();
      assertThat(visit.at("[data-column='parameters.kind']")).hasCount(0);
      assertThat(visit.at("[data-column=exitCode]")).isVisible();
      visit.page().reload();
      assertThat(visit.at("[data-column=exitCode]")).isVisible();
      assertThat(visit.at("[data-column='parameters.kind']")).hasCount(0);
    }
  }

  private static Page.GetByLabelOptions labelled() {
    return new Page.GetByLabelOptions().setExact(true);
  }

  @Test
  void tickedTrialsAreComparedWithTheirDifferencesMarked() throws Exception {
    try (Visit visit = visit("trials")) {
      visit.row(shop.trial(id, "1")).locator("input").check();
      visit.row(shop.trial(id, "2")).locator("input").check();
      visit.link("Compare").first().click();
      assertThat(visit.at("compare-tab canvas").first()).isVisible();
      Locator differing = visit.at(".differences tr.differs th");
      assertThat(differing.filter(new Locator.FilterOptions().setHasText("x"))).isVisible();
      visit.page().getByLabel("Only what differs").check();
      assertThat(visit.at(".differences tr.same")).hasCount(0);
      visit.button("Untick all").click();
      assertThat(visit.at("compare-tab")).containsText("Nothing to compare yet");
    }
  }

  @Test
  void theKeyboardWalksTicksAndOpens() {
    try (Visit visit = visit("trials")) {
      assertThat(visit.at(".rows .row[data-trial]")).hasCount(6);
      visit.page().keyboard().press("j");
      visit.page().keyboard().press("j");
      visit.page().keyboard().press("x");
      assertThat(visit.at(".rows .row.at.ticked")).hasAttribute("aria-rowindex", "3");
      visit.page().keyboard().press("Enter");
      assertThat(visit.at(".panel")).isVisible();
      visit.page().keyboard().press("Escape");
      assertThat(visit.at(".panel")).hasCount(0);
      visit.page().keyboard().press("/");
      assertThat(visit.at("input[type=search]")).isFocused();
      visit.page().keyboard().type("j");
      assertThat(visit.at("input[type=search]")).hasValue("j");
    }
  }

  /** G5. */
  @Test
  void afterATabWasFollowedTheKeysActOnTheTableAndNotOnTheTab() {
    try (Visit visit = visit("overview")) {
      visit.link("Trials").focus();
      visit.page().keyboard().press("Enter");
      assertThat(visit.at(".rows .row[data-trial]")).hasCount(6);
      visit.page().keyboard().press("j");
      assertThat(visit.at(".rows")).isFocused();
      visit.page().keyboard().press("Enter");
      assertThat(visit.at(".panel")).isVisible();
    }
  }

  @Test
  void aBrushOnAnAxisKeepsTheTrialsThatPassThere() {
    try (Visit visit = visit("parameters")) {
      BoundingBox canvas = visit.at("parallel-chart canvas").first().boundingBox();
      // The last axis is the metric: its upper half holds the results 2 and 3.
      double x = canvas.x + canvas.width - 76;
      double top = canvas.y + 14;
      double height = canvas.height - 36;
      visit.page().mouse().move(x, top - 4);
      visit.page().mouse().down();
      visit.page().mouse().move(x, top + height * 0.2);
      visit.page().mouse().move(x, top + height * 0.6);
      visit.page().mouse().up();
      assertThat(visit.at(".brushed h2")).hasText("2 trials in the brush");
      visit.button("Compare the best of them").click();
      assertThat(visit.at(".differences thead th")).hasCount(3);
      visit.link("Parameters").click();
      visit.button("Best 20 %").click();
      assertThat(visit.at("parallel-chart .canvas"))
          .hasAttribute("aria-label", "Parameters of 1 trials as parallel coordinates");
      visit.at("summary[title=Axes]").click();
      visit.page().getByLabel("kind", labelled()).uncheck();
      visit.button("Move kind left").click();
    }
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void axesAreMovedByPointerAndKeyboardAndKeepTheirOrderAndTheBrush() {
    try (Visit visit = visit("parameters")) {
      assertThat(visit.at(".heads button")).hasText(new String[] {"x", "kind"});
      BoundingBox canvas = visit.at("parallel-chart canvas").first().boundingBox();
      double metric = canvas.x + canvas.width - 76;
      visit.page().mouse().move(metric, canvas.y + 10);
      visit.page().mouse().down();
      visit.page().mouse().move(metric, canvas.y + canvas.height * 0.3);
      visit.page().mouse().move(metric, canvas.y + canvas.height * 0.6);
      visit.page().mouse().up();
      assertThat(visit.at(".brushed h2")).hasText("2 trials in the brush");

      BoundingBox x = visit.button("Axis x, 1 of 2").boundingBox();
      BoundingBox kind = visit.button("Axis kind, 2 of 2").boundingBox();
      visit.page().mouse().move(x.x + x.width / 2, x.y + x.height / 2);
      visit.page().mouse().down();
      visit.page().mouse().move(x.x + 60, x.y + 10);
      visit.page().mouse().move(kind.x + kind.width / 2, kind.y + 10);
      assertThat(visit.button("Axis kind, 1 of 2")).isVisible();
      visit.page().keyboard().press("Escape");
      assertThat(visit.at(".heads button")).hasText(new String[] {"x", "kind"});
      visit.page().mouse().up();
      // It waits for the name to be back in its place.
      visit.button("Axis x, 1 of 2").hover();
      visit.page().mouse().down();
      visit.page().mouse().move(kind.x + kind.width / 2, kind.y + 10);
      visit.page().mouse().up();
      assertThat(visit.at(".heads button")).hasText(new String[] {"kind", "x"});
      assertThat(visit.at(".brushed h2")).hasText("2 trials in the brush");
      assertThat(visit.at(".brushed thead")).hasText("No.TrialMetrickindx");

      visit.page().reload();
      assertThat(visit.at(".heads button")).hasText(new String[] {"kind", "x"});
      visit.button("Axis x, 2 of 2").focus();
      visit.page().keyboard().press("ArrowLeft");
      assertThat(visit.at(".heads button")).hasText(new String[] {"x", "kind"});
      assertThat(visit.button("Axis x, 1 of 2")).isFocused();
      visit.page().keyboard().press("End");
      assertThat(visit.at(".heads button")).hasText(new String[] {"kind", "x"});
    }
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void curvesAreNarrowedToReportsAndValuesWhichTheAddressKeeps() {
    try (Visit visit = visit("curves")) {
      Locator many = visit.at("curves-tab header [role=status]");
      assertThat(many).hasText("6 trials");
      // Each trial reports 1, 2 and 3.
      visit.page().getByLabel("Value at least").fill("2.5");
      assertThat(many).hasText("6 trials");
      visit.page().getByLabel("Last report").fill("1");
      assertThat(many).hasText("0 of 6 trials");
      assertThat(visit.at("curves-chart")).containsText("No curve of these trials passes there");
      visit.page().getByLabel("Value at least").fill("two");
      assertThat(visit.page().getByLabel("Value at least")).hasAttribute("aria-invalid", "true");
      visit.page().getByLabel("Value at least").fill("2");
      assertThat(many).hasText("6 trials");
      assertThat(visit.page())
          .hasURL(Pattern.compile("(?=.*reports=\\.\\.1)(?=.*values=2\\.\\.).*"));
      visit.page().reload();
      assertThat(visit.page().getByLabel("Last report")).hasValue("1");
      assertThat(visit.at("curves-chart canvas").first()).isVisible();
      visit.page().getByLabel("First report").fill("9");
      assertThat(visit.at("curves-chart")).containsText("None of these trials has reported there");
      visit.button("All curves").click();
      assertThat(visit.page().getByLabel("First report")).hasValue("");
      assertThat(many).hasText("6 trials");
    }
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void aColumnCountsWhatEachTrialHasReported() {
    try (Visit visit = visit("trials")) {
      visit.at("summary[title=Columns]").click();
      visit.page().getByLabel("Reports", labelled()).check();
      awaitColumn(visit, "reports", List.of("3", "3", "3", "3", "3", "3"));
    }
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void tensorBoardIsStartedForTickedTrialsListedAndStopped() throws Exception {
    try (Visit visit = visit("trials")) {
      Locator menu = visit.at("tensorboard-menu summary");
      menu.click();
      assertThat(visit.at("tensorboard-menu")).containsText("Tick the trials that it shall show");
      menu.click();
      visit.row(shop.trial(id, "1")).locator("input").check();
      visit.row(shop.trial(id, "2")).locator("input").check();
      menu.click();
      visit.button("Start for 2 ticked").click();
      Locator board = visit.at("tensorboard-menu li");
      assertThat(board).containsText("2 trials");
      Page opened = visit.page().waitForPopup(() -> board.locator("a").click());
      assertThat(opened.locator("body")).containsText(shop.trial(id, "1"));
      opened.close();
      visit.page().reload();
      assertThat(menu).containsText("1");
      menu.click();
      board.locator("button").click();
      assertThat(board).hasCount(0);
    }
  }

  @Test
  void curvesOfTheBestTrialsAreDrawn() {
    try (Visit visit = visit("curves")) {
      assertThat(visit.at("curves-tab header")).containsText("6 trials");
      visit.button("Running").click();
      assertThat(visit.at("curves-tab")).containsText("None of these trials");
    }
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void everyTabFitsTheNarrowestScreen() throws Exception {
    Browser.NewContextOptions narrow = new Browser.NewContextOptions().setViewportSize(400, 800);
    try (Visit visit = new Visit(chromium, shop.server().url(), narrow)) {
      for (String tab :
          new String[] {
            "overview", "trials", "parameters", "curves", "compare", "configuration", "log"
          }) {
        visit.to("/experiments/" + id + "/" + tab + "?trial=" + shop.trial(id, "1"));
        assertThat(visit.at(".tabs [aria-current=page]")).containsText(tab.substring(1));
        assertThat(visit.at(".panel .metric")).isVisible();
        if (tab.equals("parameters")) {
          assertThat(visit.at("parallel-chart canvas").first()).isVisible();
        }
        assertThat(visit.page().evaluate("document.documentElement.scrollWidth"))
            .as(tab)
            .isEqualTo(400);
      }
    }
  }
}
