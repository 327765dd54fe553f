package io.orrery.journeys.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.options.BoundingBox;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Curves of intermediate results (G2): the pointer names a line and opens its trial. */
@Timeout(120)
class CurvesIT extends InShop {
  private static Visit visit(String id) {
    return new Visit(chromium, shop.server().url()).to("/experiments/" + id + "/curves");
  }

  /** Every trial of the shop reports 1, 2 and 3: the middle of the plot lies on all lines. */
  private static void toTheMiddle(Visit visit) {
    assertThat(visit.at("curves-chart canvas").first()).isVisible();
    BoundingBox box = visit.at("curves-chart canvas").first().boundingBox();
    // Where the chart says that its second report lies, number 1 with value 2.
    @SuppressWarnings("unchecked")
    List<Number> place =
        (List<Number>)
            visit
                .page()
                .evaluate(
                    "() =>"
                        + " document.querySelector('curves-chart').canvas.convertToPixel({xAxisIndex:"
                        + " 0, yAxisIndex: 0}, [1, 2])");
    visit
        .page()
        .mouse()
        .move(box.x + place.get(0).doubleValue() + 20, box.y + place.get(1).doubleValue());
    visit
        .page()
        .mouse()
        .move(box.x + place.get(0).doubleValue(), box.y + place.get(1).doubleValue());
  }

  @Test
  void anyNumberOfLinesIsNamedAtThePointerAndOpensItsTrialOnAClick() throws Exception {
    for (String x : new String[] {"1, 2", "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12"}) {
      String id = shop.finished("curves", x, "quick");
      try (Visit visit = visit(id)) {
        toTheMiddle(visit);
        assertThat(visit.at(".tip-at-pointer")).isVisible();
        assertThat(visit.at(".tip-at-pointer")).containsText(Pattern.compile("No\\. \\d+ · \\w+"));
        assertThat(visit.at(".tip-at-pointer")).containsText("report1");
        String named = visit.at(".tip-at-pointer span").first().textContent();
        visit.page().mouse().down();
        visit.page().mouse().up();
        String trial = named.substring(named.indexOf("· ") + 2);
        assertThat(visit.at(".panel h2 .code")).hasText(trial);
      }
    }
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void ofTenAndOfTenThousandTrialsALineIsNamedAndOpensItsTrial() throws Exception {
    for (int trials : new int[] {10, 10_000}) {
      try (Visit visit = visit(shop.takenOver("curves" + trials, trials))) {
        toTheMiddle(visit);
        assertThat(visit.at(".tip-at-pointer")).containsText(Pattern.compile("No\\. \\d+ · t\\w+"));
        visit.page().mouse().down();
        visit.page().mouse().up();
        assertThat(visit.at(".panel h2 .code")).hasText(Pattern.compile("t[0-9a-f]{4}"));
      }
    }
  }

  @Test
  void upToTenLinesHaveALegendThatOpensTheirTrials() throws Exception {
    String id = shop.finished("ten", "1, 2, 3, 4, 5, 6, 7, 8, 9, 10", "quick");
    try (Visit visit = visit(id)) {
      assertThat(visit.at(".curve-legend button")).hasCount(10);
      visit.at(".curve-legend button").nth(3).focus();
      String name = visit.at(".curve-legend button").nth(3).textContent().strip();
      visit.page().keyboard().press("Enter");
      assertThat(visit.at(".panel h2 .code")).hasText(name.substring(name.indexOf("· ") + 2));
    }
  }

  @Test
  void theNearestLineWithinReachIsFoundAcrossGaps() throws Exception {
    try (Visit visit = new Visit(chromium, shop.server().url()).to("/")) {
      Pure nearest = visit.pure("charts/nearest-curve.js");
      String lines = "[[[0, 0], [100, 0]], [[0, 50], [NaN, NaN], [100, 50]]]";
      nearest.gives("nearestCurve(" + lines + ", [70, 4], 10).curve", 0);
      nearest.gives("nearestCurve(" + lines + ", [70, 4], 10).point", 1);
      nearest.gives("nearestCurve(" + lines + ", [20, 4], 10).point", 0);
      nearest.gives("nearestCurve(" + lines + ", [50, 50], 10)", null);
      nearest.gives("nearestCurve(" + lines + ", [98, 48], 10).curve", 1);
      nearest.gives("nearestCurve([], [1, 1], 10)", null);
    }
  }
}
