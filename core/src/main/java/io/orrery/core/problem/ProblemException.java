package io.orrery.core.problem;

import org.jspecify.annotations.Nullable;

/** Carries a {@link Problem} where Java wants a Throwable. Has no stack trace: it is an answer. */
public final class ProblemException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Problem problem;

  public ProblemException(Problem problem) {
    this(problem, null);
  }

  /**
   * @param cause what made it a problem; null when there is no more to say
   */
  public ProblemException(Problem problem, @Nullable Throwable cause) {
    super(problem.detail(), cause, false, false);
    this.problem = problem;
  }

  public Problem problem() {
    return problem;
  }
}
