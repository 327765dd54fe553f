package io.orrery.core.trial;

/**
 * An order of trials; those without a value come last either way round.
 *
 * @param field what they are ordered by; equals stand by sequence number
 */
public record TrialOrder(TrialField field, boolean descending) {
  /** In the order in which they were made. */
  public static final TrialOrder MADE = new TrialOrder(TrialField.Standard.SEQUENCE_ID, false);

  /**
   * Reads a field, with a minus in front for the other way round.
   *
   * @throws io.orrery.core.problem.ProblemException Refused when there is no such field
   */
  public static TrialOrder parse(String text) {
    boolean descending = text.startsWith("-");
    return new TrialOrder(TrialField.parse(descending ? text.substring(1) : text), descending);
  }

  /** As {@link #parse} reads it. */
  public String text() {
    return (descending ? "-" : "") + field.text();
  }
}
