package io.orrery.studio.notebook;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Workloads;
import io.orrery.core.bus.contract.Workloads.Want;
import io.orrery.core.bus.contract.Workloads.Workload;
import io.orrery.core.problem.Problem;
import io.orrery.core.workload.WorkloadKind;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.studio.notebook.NotebookTable.NotebookRow;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the orchestrator what is wanted of notebooks, again where it missed it. */
final class NotebookOrders {
  private static final Logger LOG = LoggerFactory.getLogger(NotebookOrders.class);

  private final Bus bus;

  NotebookOrders(Bus bus) {
    this.bus = bus;
  }

  /** Tells it of a notebook; a round makes up for what fails. */
  Future<Void> tell(NotebookRow row) {
    Want want = row.want();
    return bus.request(Workloads.WANT, want)
        .<Void>mapEmpty()
        .recover(failure -> {
          LOG.warn("could not order {} yet: {}", want.workload(), Problem.of(failure).detail());
          return Future.succeededFuture();
        });
  }

  /** Has a workload ended; a round makes up for what fails. */
  Future<Void> end(WorkloadRef workload) {
    return bus.request(Workloads.REMOVE, new Workloads.Remove(workload))
        .<Void>mapEmpty()
        .recover(failure -> {
          LOG.warn("could not end {} yet: {}", workload, Problem.of(failure).detail());
          return Future.succeededFuture();
        });
  }

  /** The workloads of notebooks, as far as the orchestrator answers. */
  Future<Map<WorkloadRef, Workload>> present(List<NotebookRow> rows) {
    List<WorkloadRef> among =
        rows.stream().map(row -> NotebookFreezer.workload(row.name())).toList();
    return bus.request(Workloads.LIST, new Workloads.ListSome(among))
        .map(Workloads.Listed::byRef)
        .otherwise(Map.of());
  }

  /** Compares what is wanted with what the orchestrator knows; it answers with the latter. */
  Future<Map<WorkloadRef, Workload>> reconcile(List<NotebookRow> rows) {
    return bus.request(Workloads.LIST, new Workloads.ListSome(null))
        .compose(listed -> {
          Map<WorkloadRef, Workload> all = new HashMap<>();
          listed.items().stream()
              .filter(each -> each.workload().kind() == WorkloadKind.NOTEBOOK)
              .forEach(each -> all.put(each.workload(), each));
          Map<WorkloadRef, Workload> left = new HashMap<>(all);
          List<Future<Void>> repairs = new ArrayList<>();
          for (NotebookRow row : rows) {
            Workload workload = left.remove(NotebookFreezer.workload(row.name()));
            if (workload == null
                || workload.generation() != row.generation()
                || workload.wanted() != row.want().replicas()) {
              repairs.add(tell(row));
            }
          }
          left.keySet().forEach(gone -> repairs.add(end(gone)));
          return Future.join(repairs).transform((done, failure) -> Future.succeededFuture(all));
        });
  }
}
