package io.orrery.core.bus;

import org.jspecify.annotations.Nullable;

/**
 * Told of every question that was answered on a bus, on the thread that asked, and of every order
 * that was carried out, on the thread that did.
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
