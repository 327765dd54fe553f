package io.orrery.core.bus;

import org.jspecify.annotations.Nullable;

/**
 * Told of every question that was answered on a bus, on the thread that asked, and of every word
 * that was told, on the thread that heard it.
 */
@FunctionalInterface
public interface CallWatch {
  /** Looks away. */
  CallWatch NONE = (call, failure, nanos) -> {};

  /**
   * An answer came, or none will; of a word: everything is done that follows from it.
   *
   * @param call the address without its owner, {@code tuners.ask}: one of some dozen
   * @param failure what the caller gets instead of an answer, null when it got one
   * @param nanos from the question to the answer
   */
  void answered(String call, @Nullable Throwable failure, long nanos);
}
