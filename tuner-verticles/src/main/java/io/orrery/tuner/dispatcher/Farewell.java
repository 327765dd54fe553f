package io.orrery.tuner.dispatcher;

import io.orrery.tuner.python.Child;
import java.time.Duration;

/** The time that NNI gives a dispatcher to end by itself: its tuner may save what it knows. */
final class Farewell {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private Farewell() {}

  /** Ends a child that has been told to go, if it does not. Returns at once. */
  static void to(Child child) {
    Thread.ofVirtual()
        .name("orrery-dispatcher-farewell-" + child.pid())
        .start(() -> {
          try {
            boolean ended = child.awaitEnd(PATIENCE);
            if (!ended) {
              child.end();
            }
          } catch (InterruptedException e) {
            child.end();
          }
        });
  }
}
