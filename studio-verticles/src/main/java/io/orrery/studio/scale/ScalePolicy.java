package io.orrery.studio.scale;

import io.orrery.core.workload.Readings;
import io.orrery.core.workload.UseScaling;
import java.time.LocalTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rules by which the number of replicas follows what a service has to do.
 *
 * @param least the smallest number; 0 when the service rests without requests
 * @param most the largest number
 * @param targets the largest number that one of them wants is taken; may be empty
 * @param timetable the number by the hour, in place of the targets; may be empty
 * @param scrape where metrics are told; null when no target needs one
 */
public record ScalePolicy(
    int least,
    int most,
    List<Target> targets,
    List<Hours> timetable,
    @Nullable MetricsEndpoint scrape) {
  public ScalePolicy {
    targets = List.copyOf(targets);
    timetable = List.copyOf(timetable);
  }

  /** One that needs no metric of the service. */
  public ScalePolicy(int least, int most, List<Target> targets, List<Hours> timetable) {
    this(least, most, targets, timetable, null);
  }

  /** A measure of work. */
  public enum Measure {
    /** Answers each second. */
    RPS,
    /** Requests under way, waiting ones included. */
    CONCURRENCY,
    /** Cores that are used. */
    CPU,
    /** Bytes of memory that are used. */
    MEMORY,
    /** GPUs that are used. */
    GPU,
    /** A metric that the service itself tells. */
    METRIC;

    /** Whether it is counted at the routers, and not read at the replicas. */
    boolean isOfRouters() {
      return this == RPS || this == CONCURRENCY;
    }

    /** Whether it is what programs use. */
    boolean isUse() {
      return this == CPU || this == MEMORY || this == GPU;
    }
  }

  /**
   * The work that one replica is to have.
   *
   * @param each more than 0
   * @param metric its name; null for the other measures
   */
  public record Target(Measure measure, double each, @Nullable String metric) {
    public Target(Measure measure, double each) {
      this(measure, each, null);
    }

    /** Its name among {@link Readings}; null for what the routers count. */
    @Nullable String reading() {
      return switch (measure) {
        case RPS, CONCURRENCY -> null;
        case CPU -> Readings.CPU;
        case MEMORY -> Readings.MEMORY;
        case GPU -> Readings.GPU;
        case METRIC -> metric;
      };
    }
  }

  /**
   * The endpoint of the service for Prometheus.
   *
   * @param port the name of one of its ports
   */
  public record MetricsEndpoint(String port, String path) {}

  /** The metrics that the service is asked for. */
  public List<String> metrics() {
    return targets.stream()
        .filter(target -> target.measure() == Measure.METRIC)
        .map(Target::reading)
        .distinct()
        .toList();
  }

  /** Whether it is measured what replicas use. */
  public boolean isByUse() {
    return targets.stream().map(Target::measure).anyMatch(Measure::isUse);
  }

  /**
   * The part of it that a cluster which scales by itself can do; null when that is nothing, or the
   * number never changes.
   */
  public @Nullable UseScaling ofCluster() {
    Map<String, Double> each = new HashMap<>();
    for (Target target : targets) {
      String reading = target.reading();
      if (target.measure().isUse() && reading != null) {
        each.merge(reading, target.each(), Math::min);
      }
    }
    int fewest = Math.max(1, least);
    return each.isEmpty() || !timetable.isEmpty() || fewest >= most
        ? null
        : new UseScaling(fewest, most, each);
  }

  /**
   * A time of the day with its number of replicas.
   *
   * @param from included
   * @param until excluded; up to {@code from} when it is the next day
   */
  public record Hours(LocalTime from, LocalTime until, int replicas) {
    boolean has(LocalTime time) {
      return from.isBefore(until)
          ? !time.isBefore(from) && time.isBefore(until)
          : !time.isBefore(from) || time.isBefore(until);
    }
  }
}
