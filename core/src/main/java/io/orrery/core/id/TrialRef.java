package io.orrery.core.id;

/** A trial of any experiment; as text {@code <experiment>/<trial>}. */
public record TrialRef(ExperimentId experiment, TrialId trial) {
  /** Reads {@code <experiment>/<trial>}; IllegalArgumentException when it is not that. */
  public static TrialRef parse(String text) {
    int slash = text.indexOf('/');
    if (slash < 0) {
      throw new IllegalArgumentException("not <experiment>/<trial>: '" + text + "'");
    }
    return new TrialRef(
        new ExperimentId(text.substring(0, slash)), new TrialId(text.substring(slash + 1)));
  }

  @Override
  public String toString() {
    return experiment + "/" + trial;
  }
}
