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
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the orchestrator what is wanted of notebooks, again where it missed it. */
final class NotebookOrders {
  private static final Logger LOG = LoggerFactory.getLogger(NotebookOrders.class);

  private final Bus bus;
  private final NotebookTable table;

  NotebookOrders(Bus bus, NotebookTable table) {
    this.bus = bus;
    this.table = table;
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

  /**
   * Has routers take passes of the present epoch alone. What was ordered is noted after it was: a
   * round repeats what fails.
   */
  Future<Want> endPasses(NotebookRow row) {
    Want want = NotebookFreezer.withEpoch(row.want(), row.epoch());
    return bus.request(Workloads.WANT, want)
        .compose(told -> table.write(List.of(NotebookTable.ordered(row, want))))
        .map(want)
        .otherwise(failure -> {
          LOG.warn(
              "could not end the passes of {} yet: {}",
              want.workload(),
              Problem.of(failure).detail());
          return want;
        });
  }

  /** The same for those of some notebooks whose routers know of an earlier epoch. */
  Future<Void> endPasses(List<NotebookRow> rows) {
    return Future.join(
            rows.stream()
                .filter(row -> !NotebookFreezer.takesEpoch(row.want(), row.epoch()))
                .map(row ->
                    present(row)
                        .compose(found ->
                            found.map(this::endPasses).orElse(Future.succeededFuture(row.want()))))
                .toList())
        .transform(done -> Future.succeededFuture());
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

  /** All workloads of notebooks that the orchestrator knows. */
  Future<Map<WorkloadRef, Workload>> known() {
    return bus.request(Workloads.LIST, new Workloads.ListSome(null))
        .map(listed -> {
          Map<WorkloadRef, Workload> all = new HashMap<>();
          listed.items().stream()
              .filter(each -> each.workload().kind() == WorkloadKind.NOTEBOOK)
              .forEach(each -> all.put(each.workload(), each));
          return all;
        });
  }

  /**
   * Makes up for orders that were missed.
   *
   * @param known workloads that were listed before the rows were read: what was made in between is
   *     not among them, and is not ended
   */
  Future<Void> repair(Map<WorkloadRef, Workload> known, List<NotebookRow> rows) {
    Map<WorkloadRef, Workload> left = new HashMap<>(known);
    List<Future<Void>> repairs = new ArrayList<>();
    for (NotebookRow row : rows) {
      Workload workload = left.remove(NotebookFreezer.workload(row.name()));
      if (workload == null
          || workload.generation() != row.generation()
          || workload.wanted() != row.want().replicas()) {
        repairs.add(
            present(row).compose(found -> found.map(this::tell).orElse(Future.succeededFuture())));
      }
    }
    repairs.add(endPasses(rows));
    left.keySet().forEach(gone -> repairs.add(end(gone)));
    return Future.join(repairs).transform(done -> Future.succeededFuture());
  }

  /** The same row, which may have changed since it was read. */
  private Future<Optional<NotebookRow>> present(NotebookRow row) {
    return table.find(row.name());
  }
}
