package io.orrery.router.proxy;

import io.orrery.router.route.Retries;
import io.vertx.core.http.HttpClientResponse;

/** Hears what becomes of an {@link Attempt}: one of these. */
interface AttemptListener {
  /** The head of an answer is there. */
  void answered(HttpClientResponse from);

  /** There is an answer, and the router does not know what it is or where it ends. */
  void unreadable();

  /** No connection to the endpoint could be made. */
  void unconnected();

  /**
   * The connection ended before an answer began.
   *
   * @param cause CONNECT_FAILURE when the endpoint has done nothing of the request
   */
  void unanswered(Retries.Cause cause);

  /** As many as may wait for a connection do. */
  void crowdedOut();
}
