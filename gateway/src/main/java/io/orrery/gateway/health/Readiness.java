package io.orrery.gateway.health;

import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;

/** A readiness check of the server. It is called on the event loop, for every health request. */
@FunctionalInterface
public interface Readiness {
  /**
   * A state of the server.
   *
   * @param word {@code ready}, {@code starting} or {@code failing}
   * @param reason the fault that keeps it from working, null when there is none
   */
  record State(String word, @Nullable String reason) {
    public static final State READY = new State("ready", null);
    public static final State STARTING = new State("starting", null);

    public static State failing(String reason) {
      return new State("failing", reason);
    }

    boolean isReady() {
      return word.equals("ready");
    }
  }

  /** How it is now; never fails. */
  Future<State> now();
}
