package io.orrery.kubernetes;

/** An API server's refusal, for whoever does not only pass on what it means. */
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
