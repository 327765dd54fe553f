package io.orrery.tuner.math;

import java.util.Arrays;

/**
 * Minimises a smooth function within a box: limited-memory BFGS (Nocedal: "Updating quasi-Newton
 * matrices with limited storage", 1980) with projected steps and a backtracking line search.
 *
 * <p>Coordinates at a bound whose gradient points outwards rest. For a few dozen coordinates and a
 * few dozen evaluations; it stops early when a step brings next to nothing.
 */
public final class Lbfgs {
  /** A function with its gradient. */
  @FunctionalInterface
  public interface Smooth {
    /**
     * The value at a place; may be infinite or NaN where the function is not defined.
     *
     * @param gradient receives the gradient
     */
    double at(double[] x, double[] gradient);
  }

  /** A place and the function's value there. */
  public record Least(double[] x, double value) {}

  private static final int MEMORY = 8;
  private static final double SUFFICIENT = 1e-4;
  private static final double TINY = 1e-12;

  private final Smooth function;
  private final double[] low;
  private final double[] high;
  private final double tolerance;
  private final double[][] steps = new double[MEMORY][];
  private final double[][] changes = new double[MEMORY][];
  private int updates;

  /**
   * @param low the least value of each coordinate
   * @param high the greatest value of each coordinate
   * @param tolerance the progress of a step below which it ends
   */
  public Lbfgs(Smooth function, double[] low, double[] high, double tolerance) {
    this.function = function;
    this.low = low;
    this.high = high;
    this.tolerance = tolerance;
  }

  /**
   * Goes downhill.
   *
   * @param first how far the first step goes along the steepest descent
   * @param evaluations how often the function is called at most
   */
  public Least minimise(double[] start, double first, int evaluations) {
    int n = start.length;
    updates = 0;
    double[] x = start.clone();
    clamp(x);
    double[] gradient = new double[n];
    double value = function.at(x, gradient);
    int used = 1;
    while (used < evaluations && Double.isFinite(value)) {
      double[] direction = direction(x, gradient);
      double slope = Cholesky.dot(gradient, direction, n);
      if (!(slope < -TINY)) {
        break;
      }
      double length = updates == 0 ? first / Math.sqrt(norm(direction)) : 1;
      double[] next = new double[n];
      double[] nextGradient = new double[n];
      double nextValue = Double.NaN;
      boolean better = false;
      while (used < evaluations && !better) {
        for (int i = 0; i < n; i++) {
          next[i] = x[i] + length * direction[i];
        }
        clamp(next);
        nextValue = function.at(next, nextGradient);
        used++;
        better = nextValue <= value + SUFFICIENT * length * slope;
        length *= better ? 1 : shorter(value, nextValue, length * slope);
      }
      if (!better) {
        break;
      }
      record(x, next, gradient, nextGradient);
      double progress = value - nextValue;
      x = next;
      gradient = nextGradient;
      value = nextValue;
      if (progress < tolerance) {
        break;
      }
    }
    return new Least(x, value);
  }

  /** The share of a step that a parabola through what is known makes the best, within reason. */
  private static double shorter(double value, double reached, double slope) {
    double share = -slope / (2 * (reached - value - slope));
    return Double.isFinite(share) ? Math.clamp(share, 0.1, 0.5) : 0.1;
  }

  private double[] direction(double[] x, double[] gradient) {
    int n = x.length;
    boolean[] resting = new boolean[n];
    double[] q = gradient.clone();
    for (int i = 0; i < n; i++) {
      resting[i] = (x[i] <= low[i] && gradient[i] > 0) || (x[i] >= high[i] && gradient[i] < 0);
      q[i] = resting[i] ? 0 : q[i];
    }
    int known = Math.min(updates, MEMORY);
    double[] shares = new double[known];
    for (int back = 0; back < known; back++) {
      int at = (updates - 1 - back) % MEMORY;
      shares[back] = Cholesky.dot(steps[at], q, n) / Cholesky.dot(steps[at], changes[at], n);
      add(-shares[back], changes[at], q);
    }
    if (known > 0) {
      int last = (updates - 1) % MEMORY;
      double scale = Cholesky.dot(steps[last], changes[last], n) / norm(changes[last]);
      for (int i = 0; i < n; i++) {
        q[i] *= scale;
      }
    }
    for (int back = known - 1; back >= 0; back--) {
      int at = (updates - 1 - back) % MEMORY;
      double share = Cholesky.dot(changes[at], q, n) / Cholesky.dot(steps[at], changes[at], n);
      add(shares[back] - share, steps[at], q);
    }
    for (int i = 0; i < n; i++) {
      q[i] = resting[i] ? 0 : -q[i];
    }
    return q;
  }

  private void record(double[] x, double[] next, double[] gradient, double[] nextGradient) {
    int n = x.length;
    double[] step = new double[n];
    double[] change = new double[n];
    for (int i = 0; i < n; i++) {
      step[i] = next[i] - x[i];
      change[i] = nextGradient[i] - gradient[i];
    }
    if (Cholesky.dot(step, change, n) > TINY * norm(change)) {
      steps[updates % MEMORY] = step;
      changes[updates % MEMORY] = change;
      updates++;
    }
  }

  private void clamp(double[] x) {
    Arrays.setAll(x, i -> Math.clamp(x[i], low[i], high[i]));
  }

  private static void add(double factor, double[] from, double[] to) {
    for (int i = 0; i < to.length; i++) {
      to[i] += factor * from[i];
    }
  }

  private static double norm(double[] x) {
    return Cholesky.dot(x, x, x.length);
  }
}
