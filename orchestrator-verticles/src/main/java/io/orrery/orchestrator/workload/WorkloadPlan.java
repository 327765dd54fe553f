package io.orrery.orchestrator.workload;

import io.orrery.core.workload.Observation;
import io.orrery.core.workload.Replica;
import io.orrery.core.workload.ReplicaPhase;
import io.orrery.core.workload.Upgrade;
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
 * <p>An {@link Upgrade} divides the requests instead: its earlier generation is kept until the
 * share ends, and what came in between is retired.
 *
 * @param status of the workload as a whole
 * @param reason a sentence on why it is not ready; null when there is nothing to say
 * @param serving the replicas that requests are to go to
 * @param candidates those among them that get the percent of an upgrade, and all where nothing else
 *     can answer; empty when the requests are not divided
 * @param retiring the replicas that are to end once no request goes to them any more
 */
record WorkloadPlan(
    WorkloadStatus status,
    @Nullable String reason,
    List<Replica> serving,
    List<Replica> candidates,
    List<Replica> retiring) {
  /** A percent. */
  private static final int ALL = 100;

  private static final Comparator<Replica> BEST_FIRST =
      Comparator.<Replica>comparingInt(replica -> replica.phase().isReady() ? 0 : 1)
          .thenComparingInt(replica -> replica.ref().ordinal());

  WorkloadPlan {
    serving = List.copyOf(serving);
    candidates = List.copyOf(candidates);
    retiring = List.copyOf(retiring);
  }

  /**
   * Decides.
   *
   * @param generation that is wanted
   * @param upgrade how it takes over; null when it replaces all that is older
   * @param wanted the number of replicas that is wanted; 0 as well when the workload is removed
   */
  static WorkloadPlan of(long generation, @Nullable Upgrade upgrade, int wanted, Observation seen) {
    List<Replica> present =
        seen.replicas().stream()
            .filter(replica -> replica.phase() != ReplicaPhase.STOPPING)
            .toList();
    List<Replica> current =
        present.stream()
            .filter(replica -> replica.ref().generation() == generation)
            .sorted(BEST_FIRST)
            .toList();
    List<Replica> kept = current.subList(0, Math.min(wanted, current.size()));
    Older older = Older.of(present, generation, upgrade);
    List<Replica> ready = ready(kept);
    Integer percent = upgrade == null ? null : upgrade.percent();
    int share = percent == null ? ALL : percent;
    boolean held = percent != null && wanted > 0 && !older.kept().isEmpty();
    boolean replaced = !held && ready.size() >= wanted;
    boolean divided = held && !ready.isEmpty() && !older.serving().isEmpty();

    List<Replica> serving = new ArrayList<>(divided && share == 0 ? List.of() : ready);
    if (!replaced && !(divided && share == ALL)) {
      serving.addAll(older.serving());
    }
    boolean alone = percent != null && older.serving().isEmpty();
    List<Replica> candidates = alone || (divided && share > 0) ? ready : List.of();
    List<Replica> retiring = new ArrayList<>(current.subList(kept.size(), current.size()));
    retiring.addAll(older.between());
    if (replaced || wanted == 0) {
      retiring.addAll(older.kept());
    }
    WorkloadStatus status = status(wanted, kept, serving, seen);
    return new WorkloadPlan(
        status,
        reason(status, kept, older.kept(), replaced || divided),
        serving,
        candidates,
        retiring);
  }

  private static List<Replica> ready(List<Replica> replicas) {
    return replicas.stream().filter(replica -> replica.phase().isReady()).toList();
  }

  /**
   * The replicas of earlier generations.
   *
   * @param kept those that serve, or would, until they are replaced
   * @param serving those of them that are ready
   * @param between those that came after the ones that are kept
   */
  private record Older(List<Replica> kept, List<Replica> serving, List<Replica> between) {
    /** All are kept unless the generation of an upgrade has a replica that can answer. */
    static Older of(List<Replica> present, long generation, @Nullable Upgrade upgrade) {
      List<Replica> all =
          present.stream().filter(replica -> replica.ref().generation() != generation).toList();
      if (upgrade != null) {
        List<Replica> base =
            all.stream().filter(replica -> replica.ref().generation() == upgrade.from()).toList();
        List<Replica> able = ready(base);
        if (!able.isEmpty()) {
          return new Older(
              base, able, all.stream().filter(replica -> !base.contains(replica)).toList());
        }
      }
      return new Older(all, ready(all), List.of());
    }
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
