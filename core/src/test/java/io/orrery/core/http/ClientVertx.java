package io.orrery.core.http;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.util.function.Supplier;

/**
 * A Vert.x for the HTTP clients of tests.
 *
 * <p>The end of an answer is lost when it comes before its body is asked for, and the request never
 * completes (Vert.x issue 6038, in 5.0.8). That happens when a thread of the test composes the
 * futures, and when a request runs on another event loop than its connection.
 */
public final class ClientVertx {
  private ClientVertx() {}

  /** A Vert.x with one event loop, to be closed by the test. */
  public static Vertx create() {
    return Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
  }

  /** Sends a request and composes what is done with its answer on the event loop. */
  public static <T> Future<T> onLoop(Vertx vertx, Supplier<Future<T>> exchange) {
    return Future.future(
        answered -> vertx.runOnContext(turn -> exchange.get().onComplete(answered)));
  }
}
