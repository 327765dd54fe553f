package io.orrery.router.control;

import io.orrery.core.bus.contract.RouteReports.ShadowDifference;
import io.orrery.core.bus.contract.RouteReports.ShadowReport;
import io.orrery.core.bus.contract.RouteReports.Shadows;
import io.orrery.core.route.LatencyBuckets;
import io.orrery.router.telemetry.Differences.Answer;
import io.orrery.router.telemetry.Differences.Difference;
import io.orrery.router.telemetry.Meters;
import io.orrery.router.telemetry.ShadowMeters.Copies;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Reports what the shadows of services answered otherwise than the services did. */
final class ShadowReports {
  private ShadowReports() {}

  static Shadows of(Meters meters, List<String> services) {
    return new Shadows(
        services.stream()
            .flatMap(service ->
                meters.shadows().of(service).stream().map(copies -> of(meters, service, copies)))
            .toList());
  }

  private static ShadowReport of(Meters meters, String service, Copies copies) {
    List<Long> told = served(meters, service);
    List<Long> said = LongStream.of(copies.times()).boxed().toList();
    return new ShadowReport(
        service,
        copies.version(),
        copies.sent(),
        copies.dropped(),
        copies.failed(),
        copies.divergences(),
        copies.bodyDivergences(),
        millis(told, 0.5),
        millis(told, 0.99),
        millis(said, 0.5),
        millis(said, 0.99),
        meters.shadows().differences(service, copies.version()).stream()
            .map(ShadowReports::difference)
            .toList());
  }

  /** The times of the answers for a service, its own and those of others. */
  private static List<Long> served(Meters meters, String service) {
    long[] sums = new long[LatencyBuckets.boundsMicros().size() + 1];
    meters
        .answersOf(service)
        .forEach(answers -> Arrays.setAll(sums, i -> sums[i] + answers.times()[i]));
    return IntStream.range(0, sums.length).mapToObj(i -> sums[i]).toList();
  }

  private static double millis(List<Long> times, double share) {
    return LatencyBuckets.quantileMicros(times, share) / 1_000;
  }

  private static ShadowDifference difference(Difference one) {
    Answer told = one.told();
    Answer said = one.said();
    return new ShadowDifference(
        one.kind().word(),
        Instant.ofEpochMilli(one.at()),
        one.request(),
        told.status(),
        said.status(),
        told.nanos() / 1_000,
        said.nanos() / 1_000,
        length(told),
        length(said),
        BodyComparison.of(told, said));
  }

  private static @Nullable Long length(Answer answer) {
    return answer.length() < 0 ? null : answer.length();
  }
}
