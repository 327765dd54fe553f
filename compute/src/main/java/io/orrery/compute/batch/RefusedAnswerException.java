package io.orrery.compute.batch;

/** The cause of a {@link Refusal}'s problem: marks it as an answer, and names its subject. */
final class RefusedAnswerException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Refusal.Subject subject;

  RefusedAnswerException(String words, Refusal.Subject subject) {
    super(words, null, false, false);
    this.subject = subject;
  }

  Refusal.Subject subject() {
    return subject;
  }
}
