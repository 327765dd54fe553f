package io.orrery.tuner.math;

/** The rows of a node by option, for options that come one after the other. */
final class Groups {
  private final int[] options;
  private final int[] weights;
  private final double[] sums;
  private int count;

  /**
   * @param most how many groups there may be
   */
  Groups(int most) {
    options = new int[most];
    weights = new int[most];
    sums = new double[most];
  }

  void clear() {
    count = 0;
  }

  /** Adds a row; those of one option follow each other. */
  void add(int option, int weight, double sum) {
    if (count == 0 || options[count - 1] != option) {
      options[count] = option;
      weights[count] = 0;
      sums[count++] = 0;
    }
    weights[count - 1] += weight;
    sums[count - 1] += sum;
  }

  /** Puts them in the order of their means; insertion sort, since options are few. */
  void sort() {
    for (int i = 1; i < count; i++) {
      int option = options[i];
      int weight = weights[i];
      double sum = sums[i];
      int at = i;
      for (; at > 0 && sum * weights[at - 1] < sums[at - 1] * weight; at--) {
        options[at] = options[at - 1];
        weights[at] = weights[at - 1];
        sums[at] = sums[at - 1];
      }
      options[at] = option;
      weights[at] = weight;
      sums[at] = sum;
    }
  }

  int count() {
    return count;
  }

  int option(int group) {
    return options[group];
  }

  int weight(int group) {
    return weights[group];
  }

  double sum(int group) {
    return sums[group];
  }
}
