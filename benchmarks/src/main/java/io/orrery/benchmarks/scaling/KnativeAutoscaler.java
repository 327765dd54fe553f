package io.orrery.benchmarks.scaling;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The autoscaler of Knative Serving as its documentation describes it, with its default settings:
 * stable window 60 s, panic window a tenth of it, panic at 200 %, scale-up rate 1,000, scale-down
 * rate 2, a decision every 2 s. It is told the concurrency of each second.
 */
final class KnativeAutoscaler implements ScalingRun.Scaler {
  private static final int STABLE_SECONDS = 60;
  private static final int PANIC_SECONDS = 6;
  private static final int TICK_SECONDS = 2;
  private static final double PANIC_THRESHOLD = 2.0;
  private static final double MOST_UP = 1_000;
  private static final double MOST_DOWN = 2.0;

  private final double target;
  private final Deque<Double> seconds = new ArrayDeque<>();
  private int panicSince = -1;
  private int mostInPanic;

  /**
   * @param target the concurrency that one replica is to have, the utilisation applied
   */
  KnativeAutoscaler(double target) {
    this.target = target;
  }

  @Override
  public int wanted(int second, double concurrency, int wanted, int ready) {
    seconds.addLast(concurrency);
    if (seconds.size() > STABLE_SECONDS) {
      seconds.removeFirst();
    }
    return second % TICK_SECONDS == 0 ? decide(second, ready) : wanted;
  }

  private int decide(int second, int ready) {
    int pods = Math.max(1, ready);
    double most = Math.ceil(MOST_UP * pods);
    double least = Math.floor(pods / MOST_DOWN);
    double panicWish = Math.ceil(average(PANIC_SECONDS) / target);
    int stable = bounded(Math.ceil(average(STABLE_SECONDS) / target), least, most);
    int panic = bounded(panicWish, least, most);
    boolean over = panicWish / pods >= PANIC_THRESHOLD;
    if (over) {
      mostInPanic = panicSince < 0 ? 0 : mostInPanic;
      panicSince = second;
    } else if (panicSince >= 0 && second - panicSince > STABLE_SECONDS) {
      panicSince = -1;
    }
    if (panicSince < 0) {
      return Math.max(1, stable);
    }
    mostInPanic = Math.max(mostInPanic, Math.max(stable, panic));
    return Math.max(1, mostInPanic);
  }

  private static int bounded(double wish, double least, double most) {
    return (int) Math.min(Math.max(wish, least), most);
  }

  private double average(int window) {
    return seconds.stream()
        .skip(Math.max(0, seconds.size() - window))
        .mapToDouble(value -> value)
        .average()
        .orElse(0);
  }
}
