package io.orrery.orchestrator.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.bus.contract.RouteReports.Curve;
import io.orrery.core.bus.contract.RouteReports.Curves;
import io.orrery.core.bus.contract.RouteReports.Point;
import io.orrery.core.bus.contract.RouteReports.ShadowDifference;
import io.orrery.core.bus.contract.RouteReports.ShadowReport;
import io.orrery.core.bus.contract.RouteReports.Told;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Sums of the reports of several routers. */
class ReportSumsTest {
  private static final Instant EARLY = Instant.parse("2026-01-31T12:00:00Z");
  private static final Instant LATE = EARLY.plusSeconds(5);

  private static ShadowReport report(String shadow, long sent, double millis, Instant... at) {
    return new ShadowReport(
        "a",
        shadow,
        sent,
        1,
        2,
        3,
        4,
        millis,
        millis,
        millis,
        millis,
        List.of(at).stream()
            .map(each -> new ShadowDifference("body", each, "GET /", 200, 200, 1, 1, 2L, 3L, null))
            .toList());
  }

  private static Told told(List<ShadowReport> shadows, Curve... curves) {
    return new Told("q", shadows, 10, List.of(curves));
  }

  @Test
  void countsOfShadowsAreAddedAndTheNewestDifferencesComeFirst() {
    List<ShadowReport> sums =
        ReportSums.shadows(
                List.of(
                    told(List.of(report("b", 30, 10, EARLY), report("c", 1, 1))),
                    told(List.of(report("b", 10, 50, LATE)))))
            .items();

    assertThat(sums).extracting(ShadowReport::shadow).containsExactly("b", "c");
    ShadowReport sum = sums.getFirst();
    assertThat(sum.sent()).isEqualTo(40);
    assertThat(sum.dropped() + sum.failed() + sum.otherStatus() + sum.otherBody()).isEqualTo(20);
    assertThat(sum.p99Millis()).isEqualTo(20);
    assertThat(sum.differences()).extracting(ShadowDifference::at).containsExactly(LATE, EARLY);
  }

  @Test
  void pointsOfOneStepAreOneAndThoseOfOneRouterAloneStay() {
    Curves sums =
        ReportSums.curves(
            List.of(
                told(
                    List.of(),
                    new Curve(
                        "b",
                        List.of(new Point(10_000, 30, 1, 2, 4), new Point(20_000, 1, 0, 1, 1)))),
                told(
                    List.of(),
                    new Curve("b", List.of(new Point(13_000, 10, 1, 6, 8))),
                    new Curve("a", List.of(new Point(33_000, 5, 5, 1, 1))))));

    assertThat(sums.items())
        .containsExactly(
            new Curve("a", List.of(new Point(33_000, 5, 5, 1, 1))),
            new Curve("b", List.of(new Point(13_000, 40, 2, 3, 5), new Point(20_000, 1, 0, 1, 1))));
  }

  @Test
  void withoutARouterThereIsNothing() {
    assertThat(ReportSums.shadows(List.of()).items()).isEmpty();
    assertThat(ReportSums.curves(List.of()).items()).isEmpty();
  }
}
