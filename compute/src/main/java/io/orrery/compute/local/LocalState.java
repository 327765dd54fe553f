package io.orrery.compute.local;

import io.orrery.compute.process.LaunchClaims.Taken;
import org.jspecify.annotations.Nullable;

/**
 * The state of an attempt on this machine that is followed.
 *
 * @param reason the reason of this server to end it; null for none
 */
record LocalState(Stage stage, @Nullable Reason reason) {
  static final LocalState NEW = new LocalState(new Waiting(), null);

  /** A stage in the life of an attempt. */
  sealed interface Stage {}

  /** The command is not known to run. */
  record Waiting() implements Stage {}

  /**
   * The command runs.
   *
   * @param seen whether this server has seen the wrapper alive
   */
  record Running(Taken wrapper, boolean seen) implements Stage {}

  /**
   * The processes of the attempt are being ended.
   *
   * @param known whether this server has seen the wrapper alive, or has started it
   */
  record Terminating(Taken wrapper, boolean known) implements Stage {}

  /** The processes of the attempt are gone, and its last reports are read. */
  record Draining(Taken wrapper) implements Stage {}

  /**
   * A limit that the attempt has passed, or a reason why its wrapper could not run.
   *
   * @param words a sentence for the user
   * @param hurried whether its processes are killed without a grace, because they would use more of
   *     what is limited meanwhile
   */
  record Reason(String words, boolean hurried) {}

  /** The wrapper that runs, or has run, the command; null while none is known. */
  @Nullable Taken wrapper() {
    return switch (stage) {
      case Waiting _ -> null;
      case Running(Taken wrapper, _) -> wrapper;
      case Terminating(Taken wrapper, _) -> wrapper;
      case Draining(Taken wrapper) -> wrapper;
    };
  }

  boolean isHurried() {
    return reason != null && reason.hurried();
  }

  LocalState with(Stage next) {
    return new LocalState(next, reason);
  }

  LocalState with(Reason next) {
    return new LocalState(stage, next);
  }
}
