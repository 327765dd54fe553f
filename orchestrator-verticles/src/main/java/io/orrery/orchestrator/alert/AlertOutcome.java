package io.orrery.orchestrator.alert;

/**
 * The outcome of an attempt to send an alert.
 *
 * @param words for the users of the project: nothing of the address, which is a secret
 */
record AlertOutcome(Kind kind, String words) {
  /** The kind of an outcome. */
  enum Kind {
    /** The receiver has taken it. */
    TAKEN,
    /** Another attempt may go better. */
    FAILED,
    /** The receiver wants no more of it. */
    UNWANTED
  }

  static AlertOutcome failed(String words) {
    return new AlertOutcome(Kind.FAILED, words);
  }

  /** The outcome of an answer with a status of HTTP. */
  static AlertOutcome answered(int status) {
    String words = "the receiver answered " + status;
    if (status / 100 == 2) {
      return new AlertOutcome(Kind.TAKEN, words);
    }
    if (status == 410) {
      return new AlertOutcome(Kind.UNWANTED, words + ", which means that it is gone");
    }
    return status / 100 == 3 ? failed(words + ": redirects are not followed") : failed(words);
  }
}
