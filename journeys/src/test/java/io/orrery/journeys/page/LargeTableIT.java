package io.orrery.journeys.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Request;
import com.microsoft.playwright.options.SelectOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Thousands of trials whose results have two entries: narrowed, ordered, and seen to their end. */
@Timeout(120)
@EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
class LargeTableIT extends InShop {
  private static final int TRIALS = 4_000;
  private static String id;

  @BeforeAll
  static void experiment() throws Exception {
    id = shop.large("large", TRIALS);
  }

  private static Visit visit(String tab) {
    return new Visit(chromium, shop.server().url()).to("/experiments/" + id + "/" + tab);
  }

  @Test
  void theFarEndIsThereAfterOneRequestAndNotAfterAllOfThem() {
    try (Visit visit = visit("trials?sort=sequenceId")) {
      assertThat(visit.at("trials-tab [role=status]")).hasText("4,001 trials");
      assertThat(visit.at(".rows .row[data-trial]").first()).isVisible();
      List<String> asked = new ArrayList<>();
      visit
          .page()
          .onRequest((Request request) -> {
            if (request.url().contains("/trials?")) {
              asked.add(request.url());
            }
          });
      visit.at(".rows").focus();
      visit.page().keyboard().press("End");
      assertThat(visit.at(".rows .row[aria-rowindex='4002'] .cell").nth(1)).hasText("4,000");
      assertThat(asked).hasSizeLessThanOrEqualTo(2).anyMatch(url -> url.contains("offset="));
      visit.page().keyboard().press("Home");
      assertThat(visit.at(".rows .row[aria-rowindex='2'] .cell").nth(1)).hasText("0");
    }
  }

  @Test
  void filtersNarrowByRangesAndChoicesAndStayInTheAddress() {
    try (Visit visit = visit("trials")) {
      visit.at("summary[title=Filters]").click();
      visit.button("Add a filter").click();
      visit.at(".conditions li input[aria-label='at least']").fill("100");
      visit.at(".conditions li input[aria-label='at most']").fill("109.5");
      assertThat(visit.at(".chip")).hasText("Metric 100 to 109.5");
      assertThat(visit.at("trials-tab [role=status]")).hasText("10 trials");
      visit.button("Add a filter").click();
      visit
          .at(".conditions li:nth-child(2) select[aria-label=Field]")
          .selectOption("parameters.kind");
      visit.at(".conditions li:nth-child(2) select[aria-label=How]").selectOption("not");
      visit.at(".conditions li:nth-child(2) input").first().check();
      assertThat(visit.at(".chip").nth(1)).hasText("kind not quick");
      assertThat(visit.at("trials-tab [role=status]")).hasText("10 trials");
      visit.at(".conditions li:nth-child(2) select[aria-label=Field]").selectOption("metric.loss");
      visit.at(".conditions li:nth-child(2) input[aria-label='at least']").fill("3896.5");
      assertThat(visit.at("trials-tab [role=status]")).hasText("5 trials");
      visit.page().keyboard().press("Escape");
      visit.page().reload();
      assertThat(visit.at(".chip")).hasCount(2);
      assertThat(visit.at("trials-tab [role=status]")).hasText("5 trials");
      visit.button("Take the filter on Metric away").click();
      assertThat(visit.at("trials-tab [role=status]")).hasText("104 trials");
      visit.at("input[type=search]").fill("nothing like it");
      visit.button("Show all").click();
      assertThat(visit.at(".chip")).hasCount(0);
    }
  }

  @Test
  void everyColumnSortsTheResultsOwnEntriesAsWell() {
    try (Visit visit = visit("trials")) {
      visit.at("[data-column='metric.loss'] button").click();
      assertThat(visit.at("[data-column='metric.loss']")).hasAttribute("aria-sort", "descending");
      assertThat(visit.at(".rows .row[aria-rowindex='2']")).containsText("3999.5");
      for (String column : new String[] {"id", "status", "duration", "reason"}) {
        visit.at("[data-column='" + column + "'] button").click();
        assertThat(visit.at("[data-column='" + column + "']"))
            .hasAttribute("aria-sort", "descending");
        assertThat(visit.at(".rows .row[data-trial]").first()).isVisible();
        assertThat(visit.at("trials-tab .fault")).hasCount(0);
      }
    }
  }

  @Test
  void theEntryOfTheResultsThatIsChosenIsDrawnRankedAndComparedEverywhere() {
    try (Visit visit = visit("overview")) {
      assertThat(visit.at("history-chart canvas").first()).isVisible();
      assertThat(visit.at("top-trials td.right").first()).hasText("4000");
      visit.at("history-chart select[aria-label=Metric]").selectOption("loss");
      visit
          .at("history-chart select[aria-label='Which is better']")
          .selectOption(new SelectOption().setLabel("lower is better"));
      assertThat(visit.at("top-trials td.right").first()).hasText("0.5");
      assertThat(visit.at("top-trials th.right").first()).hasText("loss");
      visit.link("Parameters").click();
      assertThat(visit.at("parameters-tab select[aria-label=Metric]")).hasValue("loss");
      assertThat(visit.at("parallel-chart canvas").first()).isVisible();
      visit.link("Curves").click();
      assertThat(visit.at("curves-tab select[aria-label=Metric]")).hasValue("loss");
      visit.page().reload();
      assertThat(visit.at("curves-tab select[aria-label=Metric]")).hasValue("loss");
      visit.link("Overview").click();
      visit.at("history-chart select[aria-label=Metric]").selectOption("default");
      assertThat(visit.at("top-trials td.right").first()).hasText("4000");
      assertThat(visit.at("history-chart select[aria-label='Which is better']")).hasCount(0);
    }
  }

  @Test
  void theLogOfTheServerAndOfAnExperimentCanBeReadAndSearched() {
    try (Visit visit = visit("log")) {
      assertThat(visit.at(".log-lines tr").first()).containsText(id + ": DONE after");
      visit.at("server-log input").fill("no such line");
      assertThat(visit.at("server-log .state")).containsText("No line fits");
      visit.at("server-log select").selectOption("ERROR");
      visit.at("server-log input").fill("");
      assertThat(visit.at("server-log .state")).containsText("Nothing was noted");
      visit.link("Log").first().click();
      assertThat(visit.at("h1")).hasText("Server log");
      assertThat(visit.at(".log-lines tr").first()).containsText("experiment " + id);
    }
  }
}
