package io.orrery.tuner.surrogate;

/** The trust in a model when the next place is chosen. */
public enum Look {
  /** With the hyper-parameters that explain the observations best. */
  TRUSTING,

  /**
   * With hyper-parameters drawn from all those that explain them well. Length scales that were
   * fitted to few observations tend to be too long, and then a search converges to where it
   * happened to look first; where the observations say nothing about a length scale, short ones
   * have their turn (Snoek, Larochelle, Adams: "Practical Bayesian optimization of machine learning
   * algorithms", NIPS 2012, average over such draws; here each suggestion has one).
   */
  WARY,

  /**
   * Only in a region to which the best place does not belong: another option of a choice, or
   * another part of an axis, where it looks for the best of that region.
   */
  ELSEWHERE
}
