package io.orrery.core.bus;

import org.jspecify.annotations.Nullable;

/**
 * A listener for every answered request of a bus, on the thread of the caller, and for every order
 * that was carried out, on the thread that did it.
 */
@FunctionalInterface
public interface CallWatch {
  /** Looks away. */
  CallWatch NONE = (call, failure, nanos) -> {};

  /**
   * An answer came, or none will; an order was carried out, or was not.
   *
   * @param call the address without its owner, {@code tuners.ask}: one of some dozen
   * @param failure what the caller gets instead of an answer, null when it got one
   * @param nanos from the question to the answer
   */
  void answered(String call, @Nullable Throwable failure, long nanos);
}
