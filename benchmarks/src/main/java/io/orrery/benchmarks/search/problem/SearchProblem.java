package io.orrery.benchmarks.search.problem;

import io.orrery.core.space.Dimension;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.trial.Parameters;
import java.util.List;

/** A space, what is minimised over it, and what is known of the optimum. Thread safe. */
public final class SearchProblem {
  private final String name;
  private final List<String> tags;
  private final SearchSpace space;
  private final ProblemObjective objective;
  private final double noise;
  private final int epochs;
  private final double optimum;
  private final double reference;

  /**
   * @param noise standard deviation of what a tuner sees around the value; 0 or more
   * @param epochs the length of a learning curve; 0 when there is none
   * @param optimum the least value there is, or the least that anyone has found
   * @param reference the median value of a random configuration
   */
  SearchProblem(
      String name,
      List<String> tags,
      SearchSpace space,
      ProblemObjective objective,
      double noise,
      int epochs,
      double optimum,
      double reference) {
    this.name = name;
    this.tags = List.copyOf(tags);
    this.space = space;
    this.objective = objective;
    this.noise = noise;
    this.epochs = epochs;
    this.optimum = optimum;
    this.reference = reference;
  }

  public String name() {
    return name;
  }

  /** Words that sort problems, such as {@code real} or {@code noisy}. */
  public List<String> tags() {
    return tags;
  }

  public SearchSpace space() {
    return space;
  }

  /** Standard deviation of what a tuner sees around {@link #value}; 0 when it sees the value. */
  public double noise() {
    return noise;
  }

  /** The length of a learning curve; 0 when there is none. */
  public int epochs() {
    return epochs;
  }

  /** Whether a choice of the space carries parameters of its own. */
  public boolean nested() {
    return space.dimensions().values().stream()
        .anyMatch(dimension -> dimension instanceof Dimension.Choice choice && choice.nested());
  }

  /** The value of a configuration without noise; less is better. */
  public double value(Parameters parameters) {
    return objective.value(parameters);
  }

  /** The value after each epoch, {@link #epochs} of them; the last is {@link #value}. */
  public double[] curve(Parameters parameters) {
    return objective.curve(parameters);
  }

  /** The same after one epoch, from 1, which is cheaper. */
  public double after(Parameters parameters, int epoch) {
    return objective.after(parameters, epoch);
  }

  /** The distance of a typical random configuration from the optimum. */
  public double unit() {
    return reference - optimum;
  }

  /** How far a value is from the optimum: 0 there, 1 at a typical random configuration. */
  public double regret(double value) {
    return Math.max(0, (value - optimum) / (reference - optimum));
  }
}
