package io.orrery.orchestrator.route;

import io.orrery.core.bus.contract.RouteReports.Curve;
import io.orrery.core.bus.contract.RouteReports.Curves;
import io.orrery.core.bus.contract.RouteReports.Point;
import io.orrery.core.bus.contract.RouteReports.ShadowDifference;
import io.orrery.core.bus.contract.RouteReports.ShadowReport;
import io.orrery.core.bus.contract.RouteReports.Shadows;
import io.orrery.core.bus.contract.RouteReports.Told;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Sums of what several routers report: counts are added, and quantiles are averaged by the answers
 * that each router saw. Pure.
 */
final class ReportSums {
  private static final int MOST_DIFFERENCES = 50;
  private static final long MILLIS_PER_SECOND = 1_000;

  private ReportSums() {}

  static Shadows shadows(List<Told> all) {
    Map<List<String>, ShadowReport> sums = new LinkedHashMap<>();
    all.stream()
        .map(Told::shadows)
        .flatMap(List::stream)
        .forEach(report ->
            sums.merge(List.of(report.service(), report.shadow()), report, ReportSums::plus));
    return new Shadows(List.copyOf(sums.values()));
  }

  private static ShadowReport plus(ShadowReport one, ShadowReport other) {
    long a = one.sent();
    long b = other.sent();
    return new ShadowReport(
        one.service(),
        one.shadow(),
        a + b,
        one.dropped() + other.dropped(),
        one.failed() + other.failed(),
        one.otherStatus() + other.otherStatus(),
        one.otherBody() + other.otherBody(),
        average(one.p50Millis(), a, other.p50Millis(), b),
        average(one.p99Millis(), a, other.p99Millis(), b),
        average(one.shadowP50Millis(), a, other.shadowP50Millis(), b),
        average(one.shadowP99Millis(), a, other.shadowP99Millis(), b),
        Stream.concat(one.differences().stream(), other.differences().stream())
            .sorted(Comparator.comparing(ShadowDifference::at).reversed())
            .limit(MOST_DIFFERENCES)
            .toList());
  }

  static Curves curves(List<Told> all) {
    int step = all.stream().mapToInt(Told::stepSeconds).max().orElse(1);
    Map<String, Map<Long, Point>> byVersion = new TreeMap<>();
    all.stream()
        .map(Told::curves)
        .flatMap(List::stream)
        .forEach(curve -> add(byVersion, curve, step * MILLIS_PER_SECOND));
    return new Curves(
        step,
        byVersion.entrySet().stream()
            .map(each -> new Curve(each.getKey(), List.copyOf(each.getValue().values())))
            .toList());
  }

  /** The steps of routers end at times of their own: those that end within one step are one. */
  private static void add(Map<String, Map<Long, Point>> sums, Curve curve, long stepMillis) {
    Map<Long, Point> points = sums.computeIfAbsent(curve.version(), first -> new TreeMap<>());
    curve.points().forEach(point -> points.merge(point.at() / stepMillis, point, ReportSums::plus));
  }

  private static Point plus(Point one, Point other) {
    long a = one.requests();
    long b = other.requests();
    return new Point(
        Math.max(one.at(), other.at()),
        a + b,
        one.errors() + other.errors(),
        average(one.p50Millis(), a, other.p50Millis(), b),
        average(one.p99Millis(), a, other.p99Millis(), b));
  }

  private static double average(double one, long weight, double other, long otherWeight) {
    long sum = weight + otherWeight;
    return sum == 0 ? 0 : (one * weight + other * otherWeight) / sum;
  }
}
