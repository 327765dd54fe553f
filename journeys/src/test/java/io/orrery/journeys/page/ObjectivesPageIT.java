package io.orrery.journeys.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** An experiment of several objectives (G1): each of them is judged by its own goal. */
@EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
@Timeout(120)
class ObjectivesPageIT extends InShop {
  private static String id;

  @BeforeAll
  static void experiment() throws Exception {
    id = shop.objectives("several", 10);
  }

  private static Visit visit(String tab) {
    return new Visit(chromium, shop.server().url()).to("/experiments/" + id + "/" + tab);
  }

  @Test
  void anObjectiveToBeMinimizedHasItsLowestResultFirstByDefault() {
    try (Visit visit = visit("overview")) {
      assertThat(visit.at(".figure:has-text('Best')")).containsText("accuracy (highest)");
      visit.at("history-chart select[aria-label=Metric]").selectOption("loss");
      assertThat(visit.at("history-chart header")).containsText("lower is better");
      assertThat(visit.at("history-chart select[aria-label='Which is better']")).hasCount(0);
      assertThat(visit.at("top-trials th.right").first()).hasText("loss");
      Object ordered =
          visit
              .page()
              .waitForFunction(
                  """
                  () => {
                    const shown = [...document.querySelectorAll('top-trials tbody td:nth-child(3)')].map(cell => Number(cell.textContent));
                    return shown.length === 10 && shown.every((value, at) => at === 0 || shown[at - 1] <= value);
                  }
                  """)
              .jsonValue();
      org.assertj.core.api.Assertions.assertThat(ordered).isEqualTo(true);
      visit.link("Parameters").click();
      assertThat(visit.at("parameters-tab header").first()).containsText("lower is better");
    }
  }

  @Test
  void aChoiceThatContradictsTheGoalOfAnObjectiveIsForgotten() {
    try (Visit visit = visit("overview")) {
      visit
          .page()
          .evaluate(
              "id => localStorage.setItem('orrery.metric.' + id, JSON.stringify({key: 'loss', mode:"
                  + " 'maximize'}))",
              id);
      visit.page().reload();
      assertThat(visit.at("history-chart header")).containsText("lower is better");
    }
  }

  @Test
  void theGoalComesFromTheObjectivesThenFromTheReaderThenFromTheSearch() {
    try (Visit visit = visit("overview")) {
      Pure direction = visit.pure("trials/direction.js");
      String search =
          "{optimizeMode: 'minimize', objectives: [{metric: 'loss', goal: 'minimize'}]}";
      direction.gives("directionOf(" + search + ", 'loss', 'maximize')", "minimize");
      direction.gives("directionOf(" + search + ", 'default')", "minimize");
      direction.gives("directionOf(" + search + ", 'speed', 'maximize')", "maximize");
      direction.gives("directionOf(" + search + ", 'speed')", "minimize");
      direction.gives("directionOf({}, 'speed')", "maximize");
    }
  }
}
