package io.orrery.journeys.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Tests each picture of a search (G3), with ten trials and with ten thousand. */
@EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
@Timeout(180)
class AnalysisIT extends InShop {
  private static final String[] PICTURES = {
    "pareto", "slice", "contour", "rank", "distribution", "timeline"
  };

  private static String ten;
  private static String tenThousand;

  @BeforeAll
  static void experiments() throws Exception {
    ten = shop.objectives("ten", 10);
    tenThousand = shop.objectives("ten thousand", 10_000);
  }

  private static Visit visit(String id, String view) {
    return new Visit(chromium, shop.server().url())
        .to("/experiments/" + id + "/analysis?view=" + view);
  }

  @Test
  void everyPictureIsDrawnOfTenAndOfTenThousandTrials() {
    for (String id : new String[] {ten, tenThousand}) {
      try (Visit visit = new Visit(chromium, shop.server().url())) {
        for (String view : PICTURES) {
          visit.to("/experiments/" + id + "/analysis?view=" + view);
          assertThat(visit.at("analysis-tab [aria-pressed=true]").first()).isVisible();
          assertThat(visit.at("analysis-tab canvas").first()).isVisible();
        }
      }
    }
  }

  /** The direction (G1), whatever the number of trials. */
  @Test
  void theHistoryOfAnObjectiveIsJudgedByItsGoal() {
    for (String id : new String[] {ten, tenThousand}) {
      try (Visit visit = new Visit(chromium, shop.server().url())) {
        visit.to("/experiments/" + id + "/overview");
        visit.at("history-chart select[aria-label=Metric]").selectOption("loss");
        assertThat(visit.at("history-chart header")).containsText("lower is better");
        assertThat(visit.at("history-chart canvas").first()).isVisible();
        visit.at("history-chart select[aria-label=Metric]").selectOption("accuracy");
        assertThat(visit.at("history-chart header")).containsText("higher is better");
      }
    }
  }

  @Test
  void theFrontNamesItsTrialsAndItsHypervolumeAndOpensATrial() {
    try (Visit visit = visit(tenThousand, "pareto")) {
      assertThat(visit.at("pareto-view [role=status]"))
          .hasText(Pattern.compile("\\d+ of 10,000 trials are on it"));
      assertThat(visit.at("[data-hypervolume]")).hasText(Pattern.compile("\\d\\.\\d+"));
      assertThat(visit.at("steps-chart canvas").first()).isVisible();
      String trial = visit.at("table.front tbody button").first().textContent();
      visit.at("table.front tbody button").first().click();
      assertThat(visit.at(".panel h2 .code")).hasText(trial);
    }
  }

  @Test
  void aPairOfParametersIsChosenAndNeverTheSameTwice() {
    try (Visit visit = visit(ten, "contour")) {
      assertThat(visit.at("pair-chart canvas").first()).isVisible();
      visit.at("select[aria-label=Across]").selectOption("kind");
      assertThat(visit.at("pair-chart .canvas"))
          .hasAttribute("aria-label", Pattern.compile("Metric over kind and \\w+, 10 trials"));
      assertThat(visit.at("select[aria-label=Up] option[value=kind]")).hasCount(0);
    }
  }

  @Test
  void withoutSeveralObjectivesThereIsNoFront() throws Exception {
    String id = shop.finished("single", "1, 2", "quick");
    try (Visit visit = visit(id, "pareto")) {
      assertThat(visit.button("Slice")).hasAttribute("aria-pressed", "true");
      assertThat(visit.button("Pareto front")).hasCount(0);
      assertThat(visit.at("slice-chart canvas").first()).isVisible();
      visit.button("Timeline").click();
      assertThat(visit.at("timeline-chart canvas").first()).isVisible();
      assertThat(visit.page()).hasURL(Pattern.compile(".*view=timeline"));
    }
  }

  @Test
  void picturesFitATelephone() {
    var options = new Browser.NewContextOptions().setViewportSize(390, 844);
    try (Visit visit = new Visit(chromium, shop.server().url(), options)) {
      for (String view : PICTURES) {
        visit.to("/experiments/" + ten + "/analysis?view=" + view);
        assertThat(visit.at("analysis-tab canvas").first()).isVisible();
        assertThat(visit.page().evaluate("document.documentElement.scrollWidth"))
            .as(view)
            .isEqualTo(390);
      }
    }
  }

  @Test
  void theArithmeticOfThePicturesIsRight() {
    try (Visit visit = new Visit(chromium, shop.server().url()).to("/")) {
      Pure volume = visit.pure("analysis/hypervolume.js");
      volume.gives("hypervolume([[1, 2], [2, 1]], [3, 3])", 3);
      volume.gives("hypervolume([[1, 2], [2, 1], [2, 2], [5, 0]], [3, 3])", 3);
      volume.gives("hypervolume([[0, 0, 0]], [1, 2, 3])", 6);
      volume.gives("hypervolume([[0, 1, 1], [1, 0, 1]], [2, 2, 2])", 3);
      volume.gives("hypervolume([], [1, 1])", 0);
      volume.gives("front([[1, 2], [2, 1], [2, 2], [1, 2]]).length", 2);
      volume.gives("minimized([3, 4], ['maximize', 'minimize']).join()", "-3,4");
      volume.gives(
          "JSON.stringify(hypervolumeHistory([[1, 2], [2, 2], [2, 1]], [3, 3]))", "[[0,2],[2,3]]");
      Pure edf = visit.pure("analysis/edf.js");
      edf.gives("JSON.stringify(edf([3, 1, 1, NaN, 2]))", "[[1,0.5],[2,0.75],[3,1]]");
      edf.gives("edf([]).length", 0);
      Pure ranks = visit.pure("analysis/ranks.js");
      ranks.gives("ranks([10, 30, 20], true).join()", "0,1,0.5");
      ranks.gives("ranks([10, 30, 20], false).join()", "1,0,0.5");
      ranks.gives("ranks([1, 1, 2], true).join()", "0.25,0.25,1");
      ranks.gives("ranks([7], true).join()", "1");
      Pure lanes = visit.pure("analysis/lanes.js");
      lanes.gives("lanes([[0, 5], [1, 2], [2, 4], [5, 6]]).join()", "0,1,1,0");
      Pure surface = visit.pure("analysis/surface.js");
      surface.gives("surface([[0.5, 0.5, 4]], 2).map(cell => cell[2]).join()", "4,4,4,4");
      Pure remaining = visit.pure("experiments/remaining.js");
      remaining.gives("secondsLeft({ended: 4, left: 6, meanSeconds: 10, atOnce: 2})", 30);
      remaining.gives("secondsLeft({ended: 0, left: 6, meanSeconds: null, atOnce: 2})", null);
    }
  }

  @Test
  void barsOfImportanceAreSharesOfAHundredPerCent() throws Exception {
    String id = shop.finished("weighed", "1, 2, 3, 4", "quick");
    try (Visit visit =
        new Visit(chromium, shop.server().url()).to("/experiments/" + id + "/parameters")) {
      assertThat(visit.at("importance-bars li")).hasCount(2);
      Object differs =
          visit
              .page()
              .evaluate(
                  """
                  () => [...document.querySelectorAll('importance-bars li')].map(line => {
                    const share = Number.parseFloat(line.querySelector('b').textContent);
                    const bar = 100 * line.querySelector('i').offsetWidth / line.querySelector('.track').offsetWidth;
                    return Math.abs(share - bar) > 2;
                  })
                  """);
      assertThat((List<?>) differs).isEqualTo(List.of(false, false));
    }
  }
}
