package io.orrery.core.number;

/**
 * The mean of numbers that come one by one (Welford 1962). No sum is kept, so it does not overflow;
 * the mean of equal numbers is exactly that number, which a sum divided by its length is not. With
 * an infinite number it is infinite from there on.
 */
public final class RunningMean {
  private double mean;
  private long count;

  /** Takes in another number. */
  public void add(double number) {
    count++;
    double distance = number - mean;
    if (Double.isFinite(distance)) {
      mean += distance / count;
    } else if (Double.isFinite(number) && Double.isFinite(mean)) {
      // Their distance is no double. There are two numbers or more, so what is added is one.
      mean += (number / 2 - mean / 2) / count * 2;
    } else {
      mean += number;
    }
  }

  /** How many numbers there were. */
  public long count() {
    return count;
  }

  /** Their mean; 0 of none. */
  public double mean() {
    return mean;
  }

  /** The mean of some numbers; 0 of none. */
  public static double of(Iterable<Double> numbers) {
    RunningMean mean = new RunningMean();
    numbers.forEach(mean::add);
    return mean.mean();
  }
}
