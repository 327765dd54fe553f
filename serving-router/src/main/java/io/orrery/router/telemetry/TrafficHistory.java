package io.orrery.router.telemetry;

import io.orrery.core.route.LatencyBuckets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * The requests of the last hour, by service and by who answered, in steps of {@value #STEP_SECONDS}
 * seconds. Steps without a request are not kept. Lives on one loop.
 */
public final class TrafficHistory {
  public static final int STEP_SECONDS = 10;
  private static final int MOST_POINTS = 360;

  /** The pairs of a service and who answers that are kept; others have no history. */
  private static final int MOST_CURVES = 2_000;

  private static final int SERVER_ERRORS = 4;

  private final Meters meters;
  private Map<Pair, Meters.Answers> before = new HashMap<>();
  private final Map<Pair, ArrayDeque<Point>> curves = new HashMap<>();

  private record Pair(String service, String version) {}

  /**
   * The answers within one step.
   *
   * @param at the end of the step, in milliseconds since the epoch
   * @param errors answers 5xx
   */
  public record Point(long at, long requests, long errors, double p50Millis, double p99Millis) {}

  /**
   * The requests that one answered for a service.
   *
   * @param points the oldest first
   */
  public record Curve(String version, List<Point> points) {}

  public TrafficHistory(Meters meters) {
    this.meters = meters;
  }

  /** Ends a step. */
  public void step(long now) {
    Map<Pair, Meters.Answers> present = new HashMap<>();
    meters.eachAnswers((service, answers) -> {
      Pair pair = new Pair(service, answers.version());
      present.put(pair, answers);
      Meters.Answers last = before.get(pair);
      // Without one before, what was counted may be of any time since the start.
      if (last != null) {
        add(pair, since(answers, last), now);
      }
    });
    before = present;
    curves.keySet().retainAll(present.keySet());
    long oldest = now - MOST_POINTS * STEP_SECONDS * 1_000L;
    curves
        .values()
        .forEach(points -> {
          while (!points.isEmpty() && points.getFirst().at() <= oldest) {
            points.removeFirst();
          }
        });
  }

  private static Meters.Answers since(Meters.Answers now, Meters.Answers last) {
    long[] codes = now.codes().clone();
    long[] times = now.times().clone();
    Arrays.setAll(codes, i -> codes[i] - last.codes()[i]);
    Arrays.setAll(times, i -> times[i] - last.times()[i]);
    return new Meters.Answers(now.version(), codes, times);
  }

  private void add(Pair pair, Meters.Answers answers, long now) {
    long requests = LongStream.of(answers.codes()).sum();
    ArrayDeque<Point> points = curves.get(pair);
    if (requests <= 0 || (points == null && curves.size() >= MOST_CURVES)) {
      return;
    }
    List<Long> times = LongStream.of(answers.times()).boxed().toList();
    curves
        .computeIfAbsent(pair, first -> new ArrayDeque<>())
        .addLast(
            new Point(
                now,
                requests,
                answers.codes()[SERVER_ERRORS],
                LatencyBuckets.quantileMicros(times, 0.5) / 1_000,
                LatencyBuckets.quantileMicros(times, 0.99) / 1_000));
  }

  /** The curves of a service, by who answered. */
  public List<Curve> of(String service) {
    List<Curve> all = new ArrayList<>();
    curves.forEach((pair, points) -> {
      if (pair.service().equals(service) && !points.isEmpty()) {
        all.add(new Curve(pair.version(), List.copyOf(points)));
      }
    });
    all.sort((one, other) -> one.version().compareTo(other.version()));
    return all;
  }
}
