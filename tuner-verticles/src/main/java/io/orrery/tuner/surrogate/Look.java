package io.orrery.tuner.surrogate;

/** How far a model is trusted when the next place is chosen. */
public enum Look {
  /** As it is. */
  TRUSTING,

  /**
   * With half its length scales: it knows less about what lies between the places that it has seen.
   * Length scales that were fitted to few observations tend to be too long, and then a search
   * converges to where it happened to look first (Bull: "Convergence rates of efficient global
   * optimization algorithms", JMLR 2011; Berkenkamp, Schoellig, Krause: "No-regret Bayesian
   * optimization with unknown hyperparameters", JMLR 2019).
   */
  WARY,

  /**
   * Only in a region to which the best place does not belong: another option of a choice, or
   * another part of an axis, where it looks for the best of that region.
   */
  ELSEWHERE
}
