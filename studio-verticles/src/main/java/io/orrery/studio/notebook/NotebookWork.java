package io.orrery.studio.notebook;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Usages;
import io.orrery.core.bus.contract.Usages.WorkloadUsage;
import io.orrery.core.notebook.NotebookIde;
import io.orrery.core.notebook.NotebookName;
import io.orrery.core.problem.Problem;
import io.orrery.core.workload.Readings;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.studio.scale.UsageRates;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The work of the processes of notebooks, by the CPU time and the GPUs that they use. It shows the
 * programs that run in the background and of which the notebook's own program tells nothing.
 */
final class NotebookWork {
  private static final Logger LOG = LoggerFactory.getLogger(NotebookWork.class);

  /**
   * The cores, or the GPUs, of which more is work: chosen to be above what a program takes for the
   * probes while it is not used; not measured.
   */
  private static final double SHARE = 0.1;

  private final Bus bus;
  private final Map<WorkloadRef, UsageRates> rates = new HashMap<>();

  /** The faults that were told. */
  private final Map<WorkloadRef, String> faults = new HashMap<>();

  NotebookWork(Bus bus) {
    this.bus = bus;
  }

  /** The knowledge of the work of a notebook. */
  enum Work {
    /** Nothing yet: CPU time is known from the second look on. */
    NOT_YET_KNOWN,
    /** It works. */
    SOME,
    /** It does not work, or it cannot be measured where it runs. */
    NONE
  }

  /** Forgets all notebooks but some. */
  void retain(Set<WorkloadRef> known) {
    rates.keySet().retainAll(known);
    faults.keySet().retainAll(known);
  }

  /** Looks what a notebook has worked since the look before; never fails. */
  Future<Work> look(NotebookName name, NotebookIde ide, Instant now) {
    if (ide == NotebookIde.TENSORBOARD) {
      // It reads its logs again and again, whether or not a person looks at them.
      return Future.succeededFuture(Work.NONE);
    }
    WorkloadRef workload = NotebookFreezer.workload(name);
    return bus.request(
            Usages.READ, new Usages.Ask(List.of(new Usages.AskOne(workload, true, null))))
        .map(
            read -> read.workloads().isEmpty() ? Work.NONE : take(read.workloads().getFirst(), now))
        .otherwise(failure -> {
          tell(workload, Problem.of(failure).detail());
          return Work.NONE;
        });
  }

  private Work take(WorkloadUsage usage, Instant now) {
    tell(usage.workload(), usage.fault());
    if (usage.fault() != null) {
      return Work.NONE;
    }
    Map<String, Double> used =
        rates
            .computeIfAbsent(usage.workload(), added -> new UsageRates())
            .add(now, usage.replicas());
    Double cores = used.get(Readings.CPU);
    if (Objects.requireNonNullElse(cores, 0.0) > SHARE
        || used.getOrDefault(Readings.GPU, 0.0) > SHARE) {
      return Work.SOME;
    }
    boolean measured =
        usage.replicas().stream()
            .anyMatch(each -> each.readings().totals().containsKey(Readings.CPU));
    return cores == null && measured ? Work.NOT_YET_KNOWN : Work.NONE;
  }

  private void tell(WorkloadRef workload, @Nullable String fault) {
    if (fault == null) {
      faults.remove(workload);
    } else if (!fault.equals(faults.put(workload, fault))) {
      LOG.warn("could not read the CPU time of {}: {}", workload, fault);
    }
  }
}
