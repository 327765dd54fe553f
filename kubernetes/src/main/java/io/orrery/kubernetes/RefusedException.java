package io.orrery.kubernetes;

/**
 * A refusal by the API server, for callers that act on its status rather than pass on its message.
 */
public final class RefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient ApiFailure failure;

  RefusedException(ApiFailure failure) {
    super(failure.words(), null, false, false);
    this.failure = failure;
  }

  ApiFailure failure() {
    return failure;
  }
}
