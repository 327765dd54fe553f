package io.orrery.studio.rollout;

import io.orrery.core.bus.contract.Routes.VersionAnswers;
import io.orrery.core.route.LatencyBuckets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The answers of one or more services since the beginning of a step.
 *
 * @param answers the number of all
 * @param errors the number of those 5xx
 * @param times one count for each of the {@link LatencyBuckets}
 */
public record Window(long answers, long errors, List<Long> times) {
  /** No answers. */
  public static final Window EMPTY =
      new Window(0, 0, Collections.nCopies(LatencyBuckets.boundsMicros().size() + 1, 0L));

  public Window {
    times = List.copyOf(times);
  }

  /** The counts of a service since the routers started. */
  public static Window of(VersionAnswers version) {
    long all = version.codes().stream().mapToLong(Long::longValue).sum();
    return new Window(all, version.codes().getLast(), version.times());
  }

  /** Both together. */
  public Window plus(Window other) {
    return with(other, 1);
  }

  /**
   * The answers since an earlier window; all when a router has been restarted in between, so that
   * there are fewer than before.
   */
  public Window since(Window earlier) {
    return earlier.answers > answers ? this : with(earlier, -1);
  }

  private Window with(Window other, int sign) {
    List<Long> sums = new ArrayList<>();
    for (int i = 0; i < times.size(); i++) {
      sums.add(Math.max(0, times.get(i) + sign * other.times.get(i)));
    }
    return new Window(
        Math.max(0, answers + sign * other.answers),
        Math.max(0, errors + sign * other.errors),
        sums);
  }

  /** The share of errors, 0 to 1. */
  double errorShare() {
    return answers == 0 ? 0 : (double) errors / answers;
  }

  double quantileMillis(double share) {
    return LatencyBuckets.quantileMicros(times, share) / 1_000;
  }
}
