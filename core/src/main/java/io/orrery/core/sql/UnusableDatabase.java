package io.orrery.core.sql;

import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;

/** The reason why a database cannot be used, and what to do about it; without its password. */
public final class UnusableDatabase extends Exception {
  private static final long serialVersionUID = 1L;

  private final String remedy;

  UnusableDatabase(String reason, String remedy) {
    super(reason);
    this.remedy = remedy;
  }

  /** The fault, in words. */
  public String reason() {
    return String.valueOf(getMessage());
  }

  /** The advice that helps. */
  public String remedy() {
    return remedy;
  }

  ProblemException problem() {
    return new Problem.Broken(reason() + ": " + remedy).toException();
  }
}
