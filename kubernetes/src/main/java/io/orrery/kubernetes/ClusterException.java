package io.orrery.kubernetes;

import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import java.io.IOException;

/** A failure of a request to an API server, with a sentence for users. */
public final class ClusterException extends IOException {
  private static final long serialVersionUID = 1L;

  private final boolean silence;
  private final boolean forbidden;

  public ClusterException(ProblemException failure) {
    super(failure.problem().detail(), failure);
    ApiFailure refusal = ApiFailure.behind(failure);
    this.forbidden = refusal != null && refusal.code() == 403;
    this.silence =
        failure.problem() instanceof Problem.Busy
            && (refusal == null
                || refusal.isOfLogin()
                || refusal.code() == 429
                || refusal.code() >= 500);
  }

  /** Whether the API server said that this may not be done. */
  public boolean isForbidden() {
    return forbidden;
  }

  /** Whether the API server did not answer, or not to the question, so that nothing is known. */
  public boolean isSilence() {
    return silence;
  }
}
