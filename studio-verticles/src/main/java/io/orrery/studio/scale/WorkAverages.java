package io.orrery.studio.scale;

import io.orrery.studio.scale.ScaleModel.Sample;
import io.orrery.studio.scale.ScalePolicy.Target;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;

/** The work of a service in the last while: samples of the routers, and readings of replicas. */
final class WorkAverages {
  private final Duration kept;
  private final Deque<Sample> samples = new ArrayDeque<>();
  private final Deque<Reading> readings = new ArrayDeque<>();

  /**
   * @param kept the longest window that is asked for
   */
  WorkAverages(Duration kept) {
    this.kept = kept;
  }

  /** Values of all replicas together. */
  private record Reading(Instant at, Map<String, Double> values) {}

  void add(Sample sample) {
    samples.addLast(sample);
    // One more than the window, so that rates have a beginning.
    while (samples.size() > 2 && !secondOldest().at().isAfter(sample.at().minus(kept))) {
      samples.removeFirst();
    }
  }

  private Sample secondOldest() {
    var all = samples.iterator();
    all.next();
    return all.next();
  }

  void add(Instant at, Map<String, Double> values) {
    readings.addLast(new Reading(at, Map.copyOf(values)));
    while (!readings.getFirst().at().isAfter(at.minus(kept))) {
      readings.removeFirst();
    }
  }

  boolean isEmpty() {
    return samples.isEmpty();
  }

  Sample last() {
    return samples.getLast();
  }

  /** Whether all of a window has passed without a request. */
  boolean hasRested() {
    Sample first = samples.getFirst();
    return !first.at().isAfter(last().at().minus(kept))
        && samples.stream().allMatch(sample -> sample.concurrency() == 0)
        && last().answers() == first.answers();
  }

  /** The work in a window up to the last sample; empty when it was not read in it. */
  OptionalDouble work(Target target, Duration window) {
    return switch (target.measure()) {
      case RPS -> OptionalDouble.of(rate(window));
      case CONCURRENCY -> OptionalDouble.of(concurrency(window));
      case CPU, MEMORY, GPU, METRIC -> read(Objects.requireNonNull(target.reading()), window);
    };
  }

  private OptionalDouble read(String name, Duration window) {
    Instant begin = last().at().minus(window);
    return readings.stream()
        .filter(reading -> reading.at().isAfter(begin))
        .map(reading -> reading.values().get(name))
        .filter(Objects::nonNull)
        .mapToDouble(value -> value)
        .average();
  }

  private double concurrency(Duration window) {
    Instant begin = last().at().minus(window);
    return samples.stream()
        .filter(sample -> sample.at().isAfter(begin))
        .mapToInt(Sample::concurrency)
        .average()
        .orElse(0);
  }

  /** Answers each second; a counter that fell was begun anew by a router. */
  private double rate(Duration window) {
    Instant begin = last().at().minus(window);
    Sample base = samples.getFirst();
    long answers = 0;
    Sample before = base;
    for (Sample sample : samples) {
      if (!sample.at().isAfter(begin)) {
        base = sample;
      } else {
        answers += Math.max(0, sample.answers() - before.answers());
      }
      before = sample;
    }
    double seconds = Duration.between(base.at(), last().at()).toMillis() / 1_000.0;
    return seconds <= 0 ? 0 : answers / seconds;
  }
}
