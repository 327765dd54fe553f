package io.orrery.core.problem;

/** Carries a {@link Problem} where Java wants a Throwable. Has no stack trace: it is an answer. */
public final class ProblemException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Problem problem;

  public ProblemException(Problem problem) {
    super(problem.detail(), null, false, false);
    this.problem = problem;
  }

  public Problem problem() {
    return problem;
  }
}
