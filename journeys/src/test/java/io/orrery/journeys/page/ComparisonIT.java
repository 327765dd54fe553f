package io.orrery.journeys.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The page that compares several experiments (G3). */
@EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
@Timeout(180)
class ComparisonIT extends InShop {
  @Test
  void experimentsThatAreTickedAreComparedInCurvesParametersAndSettings() throws Exception {
    String small = shop.finished("ten trials", "1, 2, 3, 4, 5, 6, 7, 8, 9, 10", "quick");
    String large = shop.large("ten thousand trials", 10_000);
    try (Visit visit = new Visit(chromium, shop.server().url()).to("/")) {
      visit.page().getByLabel("Tick ten trials to compare").check();
      assertThat(visit.at(".hint")).hasText("Tick another one to compare");
      visit.page().getByLabel("Tick ten thousand trials to compare").check();
      visit.link("Compare 2").click();

      assertThat(visit.at("h1")).hasText("Compare experiments");
      assertThat(visit.at("steps-chart canvas")).isVisible();
      assertThat(visit.at("steps-chart .curve-legend li"))
          .hasText(new String[] {"ten trials", "ten thousand trials"});
      assertThat(visit.at("parallel-chart canvas")).isVisible();
      assertThat(visit.at("axis-heads")).containsText("x");
      assertThat(visit.at("axis-heads")).containsText("kind");
      assertThat(visit.at("tr[data-setting='searchSpace.x'] td"))
          .hasText(
              new String[] {
                "{\"_type\":\"choice\",\"_value\":[1,2,3,4,5,6,7,8,9,10]}",
                "{\"_type\":\"choice\",\"_value\":[1]}"
              });
      assertThat(visit.at("tr[data-setting='trialConcurrency']")).hasCount(0);
      visit.page().getByLabel("Only settings that differ").uncheck();
      assertThat(visit.at("tr[data-setting='trialConcurrency'] td"))
          .hasText(new String[] {"2", "2"});

      visit.page().getByLabel("Take ten trials out").click();
      assertThat(visit.at("thead th")).hasCount(1);
      assertThat(visit.at("thead th a")).hasAttribute("href", "#/experiments/" + large);
      visit.to("/compare?e=" + small + "&e=" + large);
      assertThat(visit.at("thead th")).hasCount(2);
    }
  }

  @Test
  void anExperimentThatIsGoneIsNamedAndNothingIsComparedWithoutOne() {
    try (Visit visit = new Visit(chromium, shop.server().url()).to("/compare?e=nosuch")) {
      assertThat(visit.at(".fault")).containsText("nosuch");
      visit.to("/compare");
      assertThat(visit.at(".state")).containsText("Nothing to compare yet");
    }
  }

  @Test
  void settingsThatDifferAndCommonParametersAreFound() {
    try (Visit visit = new Visit(chromium, shop.server().url()).to("/about")) {
      Pure differences = visit.pure("comparison/differences.js");
      differences.gives(
          "settingsOf([{a: 1, t: {n: 'x', o: [1]}}, {a: 1, t: {n: 'y', o: [1]}}])"
              + ".filter(it => it.differs).map(it => it.path)",
          List.of("t.n"));
      differences.gives(
          "settingsOf([{searchSpace: {'a.b': {_type: 'choice', _value: [1]}}}, {}])"
              + ".map(it => it.path + it.differs)",
          List.of("searchSpace.a.btrue"));
      differences.gives(
          "commonParameters([[{parameters: {a: 1, b: null}}, {parameters: {b: 2}}],"
              + " [{parameters: {b: 0}}]])",
          List.of("b"));
      differences.gives(
          "courseOf([3, null, 1, 2].map((metric, at) => ({metric, sequenceId: at})), false).steps"
              + ".map(step => step.join(' '))",
          List.of("1 3", "3 1"));
      differences.gives(
          "namesOf([{id: 'a', name: 'x'}, {id: 'b', name: 'x'}, {id: 'c', name: null}])",
          List.of("x (a)", "x (b)", "c"));
    }
  }
}
