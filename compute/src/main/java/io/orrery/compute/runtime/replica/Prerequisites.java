package io.orrery.compute.runtime.replica;

/** An answer that says whether everything is there that a program needs to start. */
public sealed interface Prerequisites {
  /** The answer that it can. */
  record Met() implements Prerequisites {}

  /**
   * The answer that it has to wait, without a fault of its own: something is being fetched first,
   * such as an image, or there is no room for it.
   *
   * @param reason a sentence without a full stop
   */
  record Later(String reason) implements Prerequisites {}

  /**
   * The answer that something is not there.
   *
   * @param reason a sentence without a full stop that says what would help
   */
  record Missing(String reason) implements Prerequisites {}
}
