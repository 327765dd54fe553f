package io.orrery.orchestrator.runtime.replica;

/** The answer to whether a program can be started now. */
public sealed interface Preparation {
  /** The answer that it can. */
  record Prepared() implements Preparation {}

  /**
   * The answer that something is being fetched first, such as an image.
   *
   * @param reason a sentence without a full stop
   */
  record Preparing(String reason) implements Preparation {}

  /**
   * The answer that something is not there.
   *
   * @param reason a sentence without a full stop that says what would help
   */
  record Missing(String reason) implements Preparation {}
}
