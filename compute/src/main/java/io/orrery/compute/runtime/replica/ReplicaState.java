package io.orrery.compute.runtime.replica;

import io.orrery.core.workload.ReplicaPhase;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The states of a replica of this runtime, and the transitions between them, as a table. */
enum ReplicaState {
  /** Its program does not run; it waits for its turn to start, or for something that it needs. */
  WAITING(ReplicaPhase.WAITING),
  /** Its program runs and was not ready yet. */
  STARTING(ReplicaPhase.STARTING),
  READY(ReplicaPhase.READY),
  UNREADY(ReplicaPhase.UNREADY),
  /** Its program has ended or is to be restarted; what is left of it is being ended. */
  CLEARING(ReplicaPhase.BACKOFF),
  /** Nothing of it runs, and it is started again later. */
  BACKOFF(ReplicaPhase.BACKOFF),
  /** Something is missing without which it cannot run; it is looked at again later. */
  FAILED(ReplicaPhase.FAILED),
  /** It is drained; what runs of it is being ended. */
  STOPPING(ReplicaPhase.STOPPING),
  /** Nothing of it runs or will. */
  GONE(ReplicaPhase.STOPPING);

  private static final Map<ReplicaState, Map<Input, ReplicaState>> TABLE =
      Map.of(
          WAITING,
          Map.of(Input.LAUNCHED, STARTING, Input.IMPOSSIBLE, FAILED, Input.DRAINED, STOPPING),
          STARTING,
          Map.of(Input.ANSWERED, READY, Input.ENDED, CLEARING, Input.DRAINED, STOPPING),
          READY,
          Map.of(Input.UNANSWERED, UNREADY, Input.ENDED, CLEARING, Input.DRAINED, STOPPING),
          UNREADY,
          Map.of(Input.ANSWERED, READY, Input.ENDED, CLEARING, Input.DRAINED, STOPPING),
          CLEARING,
          Map.of(Input.CLEARED, BACKOFF, Input.DRAINED, STOPPING),
          BACKOFF,
          Map.of(Input.DUE, WAITING, Input.DRAINED, STOPPING),
          FAILED,
          Map.of(Input.DUE, WAITING, Input.DRAINED, STOPPING),
          STOPPING,
          Map.of(Input.CLEARED, GONE),
          GONE,
          Map.of());

  private final ReplicaPhase phase;

  ReplicaState(ReplicaPhase phase) {
    this.phase = phase;
  }

  /** The causes of transitions. */
  enum Input {
    /** Its program was started. */
    LAUNCHED,
    /** Its program, its directory or a mount is missing. */
    IMPOSSIBLE,
    /** Its probe has succeeded, or it needs none. */
    ANSWERED,
    /** Its probe has failed several times in a row. */
    UNANSWERED,
    /** Its program has ended, or is to be ended because it was not ready in time. */
    ENDED,
    /** Nothing of it runs any more. */
    CLEARED,
    /** The time to try again has come. */
    DUE,
    /** It is asked to end. */
    DRAINED
  }

  /** The state after a cause; null when there is no such transition. */
  @Nullable ReplicaState after(Input input) {
    return TABLE.getOrDefault(this, Map.of()).get(input);
  }

  /** The phase that is shown. */
  ReplicaPhase phase() {
    return phase;
  }

  /** Whether its program is there to be used: it runs and is not asked to end. */
  boolean isUp() {
    return this == STARTING || this == READY || this == UNREADY;
  }

  /** Whether a program that was started may still write. */
  boolean mayWrite() {
    return switch (this) {
      case STARTING, READY, UNREADY, CLEARING, STOPPING -> true;
      case WAITING, BACKOFF, FAILED, GONE -> false;
    };
  }

  /** The table as a diagram of Mermaid, which the documentation shows. */
  static String diagram() {
    StringBuilder text = new StringBuilder("stateDiagram-v2\n    [*] --> WAITING\n");
    for (ReplicaState state : values()) {
      for (Input input : Input.values()) {
        ReplicaState next = state.after(input);
        if (next != null) {
          text.append("    %s --> %s: %s\n".formatted(state, next, word(input)));
        }
      }
    }
    return text.append("    GONE --> [*]\n").toString();
  }

  private static String word(Input input) {
    return input.name().toLowerCase(Locale.ROOT);
  }
}
