package io.orrery.orchestrator.run;

import io.orrery.core.bus.contract.PipelineRuns.Run;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;

/**
 * The place of a run in lists, which are ordered by the time of creation.
 *
 * @param createdAt milliseconds since the epoch
 */
record RunCursor(long createdAt, String run) {
  static RunCursor of(Run run) {
    return new RunCursor(run.createdAt().toEpochMilli(), run.id().value());
  }

  /**
   * Reads a cursor.
   *
   * @throws io.orrery.core.problem.ProblemException Refused when it is none
   */
  static RunCursor parse(String text) {
    int hyphen = text.indexOf('-');
    try {
      return new RunCursor(Long.parseLong(text.substring(0, hyphen)), text.substring(hyphen + 1));
    } catch (IndexOutOfBoundsException | NumberFormatException e) {
      throw new Problem.Refused(
              new Finding("", "the cursor is the 'next' of the page before, not '" + text + "'"))
          .toException();
    }
  }

  @Override
  public String toString() {
    return createdAt + "-" + run;
  }
}
