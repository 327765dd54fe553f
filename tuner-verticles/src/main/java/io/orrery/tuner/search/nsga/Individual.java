package io.orrery.tuner.search.nsga;

/**
 * A member of a population.
 *
 * @param row as {@link io.orrery.tuner.encode.Rows} has it
 * @param losses for each objective, less is better
 */
record Individual(double[] row, double[] losses) {
  /** How many objectives there is no finite number for: 0 of a trial that can be compared. */
  int missing() {
    int missing = 0;
    for (double loss : losses) {
      missing += Double.isFinite(loss) ? 0 : 1;
    }
    return missing;
  }

  /** Constrained domination: less that is missing, or else better somewhere and worse nowhere. */
  boolean dominates(Individual other) {
    int mine = missing();
    int theirs = other.missing();
    if (mine != theirs || mine > 0) {
      return mine < theirs;
    }
    boolean better = false;
    for (int i = 0; i < losses.length; i++) {
      if (losses[i] > other.losses[i]) {
        return false;
      }
      better |= losses[i] < other.losses[i];
    }
    return better;
  }
}
