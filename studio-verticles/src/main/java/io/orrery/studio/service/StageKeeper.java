package io.orrery.studio.service;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Domains;
import io.orrery.core.bus.contract.Workloads;
import io.orrery.core.bus.contract.Workloads.Want;
import io.orrery.core.bus.contract.Workloads.Workload;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.orrery.core.workload.WorkloadKind;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.studio.service.ServiceTable.StageRow;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reconciles the stages of services with the workloads of the orchestrator: at once after a change,
 * and every few seconds for what was missed, such as a server that was killed between the two.
 */
final class StageKeeper {
  private static final Logger LOG = LoggerFactory.getLogger(StageKeeper.class);
  private static final Duration ROUND = Duration.ofSeconds(5);

  private final Bus bus;
  private final Clock clock;
  private final ServiceTable table;
  private Clock.@Nullable Timer round;
  private boolean closed;

  StageKeeper(Bus bus, Clock clock, ServiceTable table) {
    this.bus = bus;
    this.clock = clock;
    this.table = table;
  }

  /** Begins the rounds. */
  void open() {
    round =
        clock.after(
            ROUND,
            () -> {
              if (!closed) {
                reconcile()
                    .onFailure(failure ->
                        LOG.debug("could not compare services: {}", failure.getMessage()))
                    .onComplete(done -> open());
              }
            });
  }

  void close() {
    closed = true;
    if (round != null) {
      round.cancel();
    }
  }

  /** Tells the orchestrator of a stage; a round makes up for what fails. */
  Future<Void> tell(Want want) {
    return bus.request(Workloads.WANT, want)
        .<Void>mapEmpty()
        .recover(failure -> {
          LOG.warn("could not deploy {} yet: {}", want.workload(), Problem.of(failure).detail());
          return Future.succeededFuture();
        });
  }

  /** Has the domains and numbers of deployments looked at soon. */
  void steer() {
    bus.publish(Domains.CHANGED, new Domains.Changed());
  }

  /** Has a workload ended; a round makes up for what fails. */
  Future<Void> end(WorkloadRef workload) {
    return bus.request(Workloads.REMOVE, new Workloads.Remove(workload))
        .<Void>mapEmpty()
        .recover(failure -> {
          LOG.warn("could not clear {} yet: {}", workload, Problem.of(failure).detail());
          return Future.succeededFuture();
        });
  }

  private Future<Void> tellAgain(StageRow stage) {
    return table
        .want(stage.service(), stage.stage())
        .compose(want -> want.map(this::tell).orElseGet(Future::succeededFuture));
  }

  private Future<Void> reconcile() {
    return bus.request(Workloads.LIST, new Workloads.ListSome(null))
        .compose(
            listed -> table.stagesOf(null).compose(stages -> reconcile(listed.items(), stages)));
  }

  private Future<Void> reconcile(List<Workload> workloads, List<StageRow> stages) {
    Map<WorkloadRef, Workload> present = new HashMap<>();
    workloads.stream()
        .filter(workload -> workload.workload().kind() == WorkloadKind.SERVICE)
        .forEach(workload -> present.put(workload.workload(), workload));
    List<Future<Void>> repairs = new ArrayList<>();
    for (StageRow stage : stages) {
      Workload workload = present.remove(stage.stage().workload(stage.service()));
      if (workload == null
          || workload.generation() != stage.generation()
          || workload.wanted() != stage.replicas()) {
        repairs.add(tellAgain(stage));
      }
    }
    present.keySet().forEach(left -> repairs.add(end(left)));
    return Future.join(repairs).mapEmpty();
  }
}
