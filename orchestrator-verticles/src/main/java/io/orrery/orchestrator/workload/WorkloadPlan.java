package io.orrery.orchestrator.workload;

import io.orrery.core.workload.Observation;
import io.orrery.core.workload.Replica;
import io.orrery.core.workload.ReplicaPhase;
import io.orrery.core.workload.WorkloadStatus;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A decision about a workload, from what is wanted and what is there: pure.
 *
 * <p>The replicas of a new generation get requests as soon as they are ready; those of the older
 * one go on serving until as many new ones are ready as are wanted, and only then are retired. So a
 * generation that never becomes ready never takes a request, and the one before stays.
 *
 * @param status of the workload as a whole
 * @param reason a sentence on why it is not ready; null when there is nothing to say
 * @param serving the replicas that requests are to go to
 * @param retiring the replicas that are to end once no request goes to them any more
 */
record WorkloadPlan(
    WorkloadStatus status, @Nullable String reason, List<Replica> serving, List<Replica> retiring) {
  private static final Comparator<Replica> BEST_FIRST =
      Comparator.<Replica>comparingInt(replica -> replica.phase().isReady() ? 0 : 1)
          .thenComparingInt(replica -> replica.ref().ordinal());

  WorkloadPlan {
    serving = List.copyOf(serving);
    retiring = List.copyOf(retiring);
  }

  /**
   * Decides.
   *
   * @param generation that is wanted
   * @param wanted the number of replicas that is wanted; 0 as well when the workload is removed
   */
  static WorkloadPlan of(long generation, int wanted, Observation seen) {
    List<Replica> present =
        seen.replicas().stream()
            .filter(replica -> replica.phase() != ReplicaPhase.STOPPING)
            .toList();
    List<Replica> current =
        present.stream()
            .filter(replica -> replica.ref().generation() == generation)
            .sorted(BEST_FIRST)
            .toList();
    List<Replica> older =
        present.stream().filter(replica -> replica.ref().generation() != generation).toList();
    List<Replica> kept = current.subList(0, Math.min(wanted, current.size()));
    List<Replica> ready = kept.stream().filter(replica -> replica.phase().isReady()).toList();
    boolean replaced = ready.size() >= wanted;

    List<Replica> serving = new ArrayList<>(ready);
    List<Replica> retiring = new ArrayList<>(current.subList(kept.size(), current.size()));
    for (Replica old : older) {
      if (!replaced && old.phase().isReady()) {
        serving.add(old);
      } else if (replaced || wanted == 0) {
        retiring.add(old);
      }
    }
    WorkloadStatus status = status(wanted, kept, serving, seen);
    return new WorkloadPlan(status, reason(status, kept, older, replaced), serving, retiring);
  }

  private static WorkloadStatus status(
      int wanted, List<Replica> kept, List<Replica> serving, Observation seen) {
    if (wanted == 0) {
      return seen.replicas().isEmpty() ? WorkloadStatus.STOPPED : WorkloadStatus.STOPPING;
    }
    boolean failed = kept.stream().anyMatch(replica -> isFailure(replica.phase()));
    boolean all =
        kept.size() == wanted && kept.stream().allMatch(replica -> replica.phase().isReady());
    if (all) {
      return WorkloadStatus.READY;
    }
    if (serving.isEmpty()) {
      return failed ? WorkloadStatus.FAILED : WorkloadStatus.STARTING;
    }
    return failed ? WorkloadStatus.DEGRADED : WorkloadStatus.STARTING;
  }

  private static boolean isFailure(ReplicaPhase phase) {
    return switch (phase) {
      case BACKOFF, FAILED, UNREADY, UNREACHABLE -> true;
      case WAITING, STARTING, READY, STOPPING -> false;
    };
  }

  /** How telling the reason of a replica in this phase is; the smallest number tells most. */
  private static int rank(ReplicaPhase phase) {
    return switch (phase) {
      case FAILED -> 0;
      case BACKOFF -> 1;
      case UNREACHABLE -> 2;
      case UNREADY -> 3;
      case WAITING -> 4;
      case STARTING -> 5;
      case STOPPING -> 6;
      case READY -> 7;
    };
  }

  private static @Nullable String reason(
      WorkloadStatus status, List<Replica> kept, List<Replica> older, boolean replaced) {
    if (status == WorkloadStatus.READY || status == WorkloadStatus.STOPPED) {
      return null;
    }
    String own =
        kept.stream()
            .filter(replica -> !replica.phase().isReady() && replica.reason() != null)
            .min(Comparator.comparingInt(replica -> rank(replica.phase())))
            .map(replica -> "replica " + replica.ref().id() + ": " + replica.reason())
            .orElse(null);
    if (replaced || older.isEmpty()) {
      return own;
    }
    String before =
        "generation %d goes on serving until the new one is ready"
            .formatted(older.getLast().ref().generation());
    return own == null ? before : own + "; " + before;
  }
}
