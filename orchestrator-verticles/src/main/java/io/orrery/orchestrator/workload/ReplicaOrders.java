package io.orrery.orchestrator.workload;

import io.orrery.compute.runtime.Runtime;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Workloads;
import io.orrery.core.bus.contract.Workloads.Want;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.orrery.core.workload.WorkloadRef;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells runtimes how many replicas are wanted: as many as the quota allows. */
final class ReplicaOrders {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicaOrders.class);

  private static final Duration AGAIN = Duration.ofSeconds(1);

  private final Bus bus;
  private final Clock clock;
  private final PlacedFiles files;
  private final WorkloadPlacement placement;
  private final WorkloadQuota quota;
  private final Function<WorkloadRef, @Nullable OwnedWorkload> workloads;
  private final Consumer<WorkloadRef> hint;
  private final Set<WorkloadRef> failed = new HashSet<>();
  private boolean closed;

  ReplicaOrders(
      Bus bus,
      Clock clock,
      PlacedFiles files,
      WorkloadPlacement placement,
      WorkloadQuota quota,
      Function<WorkloadRef, @Nullable OwnedWorkload> workloads,
      Consumer<WorkloadRef> hint) {
    this.bus = bus;
    this.clock = clock;
    this.files = files;
    this.placement = placement;
    this.quota = quota;
    this.workloads = workloads;
    this.hint = hint;
  }

  /** While none is allowed, or files are missing, the replicas of an earlier generation stay. */
  Future<Void> tell(Runtime runtime, OwnedWorkload workload, PlacedFiles.Placed placed) {
    Want want = workload.want();
    if (!placed.complete()) {
      files.fetch(want.workload());
      return Future.succeededFuture();
    }
    workload.await(null, false);
    int allowed = quota.allowed(workload);
    workload.limit(quota.reason(workload));
    return allowed == 0 && workload.wanted() > 0
        ? Future.succeededFuture()
        : runtime.want(want.workload(), want.generation(), placed.spec(), allowed).mapEmpty();
  }

  /**
   * The same after the number that is allowed has changed, or its files have come; tried again when
   * that fails, for nothing else may do so.
   */
  void again(WorkloadRef ref) {
    OwnedWorkload workload = workloads.apply(ref);
    Runtime runtime = workload == null ? null : placement.find(workload.want().runtime());
    if (closed || workload == null || runtime == null || workload.isRemoved()) {
      return;
    }
    Want want = workload.want();
    files
        .spec(want)
        .compose(placed ->
            workload.want().equals(want)
                ? tell(runtime, workload, placed)
                : Future.succeededFuture())
        .onFailure(failure -> {
          String why = Problem.of(failure).detail();
          LOG.warn("could not start {}: {}", ref, why);
          workload.await(why, false);
          if (failed.add(ref)) {
            clock.after(AGAIN, () -> retry(ref));
          }
        })
        .onSuccess(told -> {
          bus.publish(Workloads.CHANGED, new Workloads.Changed(ref));
          hint.accept(ref);
        });
  }

  private void retry(WorkloadRef ref) {
    failed.remove(ref);
    again(ref);
  }

  /** Tells runtimes nothing more by itself. */
  void close() {
    closed = true;
  }
}
