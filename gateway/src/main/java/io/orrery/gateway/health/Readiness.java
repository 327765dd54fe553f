package io.orrery.gateway.health;

import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;

/** Whether the server can work. Asked on the event loop, for every question about its health. */
@FunctionalInterface
public interface Readiness {
  /**
   * @param word {@code ready}, {@code starting} or {@code failing}
   * @param reason what keeps it from working, null when nothing does
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
