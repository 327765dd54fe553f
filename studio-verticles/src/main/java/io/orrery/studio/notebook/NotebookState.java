package io.orrery.studio.notebook;

import io.orrery.core.bus.contract.Notebooks.State;
import io.orrery.core.bus.contract.Workloads.Workload;
import io.orrery.core.notebook.NotebookStatus;
import io.orrery.core.workload.Replica;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The state of a notebook, from what is wanted and what is seen. Pure. */
sealed interface NotebookState {
  /** A notebook that is not wanted, without a program. */
  record Stopped() implements NotebookState {}

  /** A notebook that lacks something. */
  record Waiting(@Nullable String reason) implements NotebookState {}

  /** A notebook whose program is on its way. */
  record Starting(@Nullable String reason) implements NotebookState {}

  /** A notebook that answers. */
  record Running(Instant expiresAt) implements NotebookState {}

  /** A notebook that answers, and is not used. */
  record Idle(Instant expiresAt) implements NotebookState {}

  /** A notebook whose program is ending. */
  record Stopping() implements NotebookState {}

  /** A notebook whose program has ended by itself, or cannot start. */
  record Failed(@Nullable String reason, @Nullable Integer exitCode, List<String> lastLines)
      implements NotebookState {
    public Failed {
      lastLines = List.copyOf(lastLines);
    }
  }

  /** A notebook that does not answer any more. */
  record Unreachable(@Nullable String reason) implements NotebookState {}

  /**
   * The state of a notebook.
   *
   * @param wanted whether its program is to run
   * @param generation of the program that is wanted
   * @param workload null while the orchestrator has not heard of it
   * @param usedAt when it was used last
   */
  static NotebookState of(
      boolean wanted,
      long generation,
      @Nullable Workload workload,
      Instant usedAt,
      IdleModel model,
      Instant now) {
    if (!wanted) {
      return workload == null || workload.replicas().isEmpty() ? new Stopped() : new Stopping();
    }
    if (workload == null || workload.generation() < generation || workload.wanted() == 0) {
      return new Starting("waits for the orchestrator to take it");
    }
    Optional<Replica> found =
        workload.replicas().stream()
            .filter(replica -> replica.ref().generation() == generation)
            .max(Comparator.comparing(Replica::ref));
    if (found.isEmpty()) {
      return new Starting(workload.reason());
    }
    Replica replica = found.get();
    return switch (replica.phase()) {
      case WAITING -> new Waiting(replica.reason());
      case STARTING -> new Starting(replica.reason());
      case READY -> ready(workload, usedAt, model, now);
      case BACKOFF, FAILED -> new Failed(replica.reason(), replica.exitCode(), replica.lastLines());
      case STOPPING -> new Stopping();
      case UNREADY, UNREACHABLE -> new Unreachable(replica.reason());
    };
  }

  /** A program that answers is of use once the routers have its address and its token. */
  private static NotebookState ready(
      Workload workload, Instant usedAt, IdleModel model, Instant now) {
    if (!workload.routed()) {
      return new Starting("its program answers, and waits for the routers to have its address");
    }
    Instant expiresAt = model.expiresAt(usedAt);
    return model.isQuiet(usedAt, now) ? new Idle(expiresAt) : new Running(expiresAt);
  }

  /** The word of this state. */
  default NotebookStatus status() {
    return switch (this) {
      case Stopped stopped -> NotebookStatus.STOPPED;
      case Waiting waiting -> NotebookStatus.WAITING;
      case Starting starting -> NotebookStatus.STARTING;
      case Running running -> NotebookStatus.RUNNING;
      case Idle idle -> NotebookStatus.IDLE;
      case Stopping stopping -> NotebookStatus.STOPPING;
      case Failed failed -> NotebookStatus.FAILED;
      case Unreachable unreachable -> NotebookStatus.UNREACHABLE;
    };
  }

  /** A sentence; null when there is nothing to say. */
  default @Nullable String reason() {
    return switch (this) {
      case Waiting waiting -> waiting.reason();
      case Starting starting -> starting.reason();
      case Failed failed -> failed.reason();
      case Unreachable unreachable -> unreachable.reason();
      case Idle idle -> "it is not used: it will be stopped at " + idle.expiresAt();
      case Stopped stopped -> null;
      case Running running -> null;
      case Stopping stopping -> null;
    };
  }

  /** The same for the bus. */
  default State told(Instant since) {
    Failed failed = this instanceof Failed state ? state : null;
    return new State(
        status(),
        reason(),
        failed == null ? null : failed.exitCode(),
        failed == null ? List.of() : failed.lastLines(),
        switch (this) {
          case Running running -> running.expiresAt();
          case Idle idle -> idle.expiresAt();
          case Stopped stopped -> null;
          case Waiting waiting -> null;
          case Starting starting -> null;
          case Stopping stopping -> null;
          case Failed ended -> null;
          case Unreachable unreachable -> null;
        },
        since);
  }
}
