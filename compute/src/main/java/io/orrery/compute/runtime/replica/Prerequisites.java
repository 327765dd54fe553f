package io.orrery.compute.runtime.replica;

/** An answer that says whether everything is there that a program needs to start. */
public sealed interface Prerequisites {
  /** The answer that it can. */
  record Met() implements Prerequisites {}

  /**
   * The answer that something is being fetched first, such as an image.
   *
   * @param reason a sentence without a full stop
   */
  record Fetching(String reason) implements Prerequisites {}

  /**
   * The answer that something is not there.
   *
   * @param reason a sentence without a full stop that says what would help
   */
  record Missing(String reason) implements Prerequisites {}
}
