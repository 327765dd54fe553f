package io.orrery.core.quota;

import io.orrery.core.workload.Resources;
import io.orrery.core.workload.WorkloadKind;
import io.orrery.core.workload.WorkloadSpec;
import java.util.EnumMap;
import java.util.Map;

/** Reads what a workload is charged. */
public final class WorkloadCharge {
  private WorkloadCharge() {}

  /** A replica: the limits of its resources, or what is set aside where it has no limit. */
  public static Amounts ofReplica(WorkloadSpec spec) {
    Resources resources = spec.resources();
    Map<QuotaResource, Long> unit = new EnumMap<>(QuotaResource.class);
    unit.put(QuotaResource.CPU, Math.max(resources.cpu().least(), resources.cpu().most()));
    unit.put(QuotaResource.MEMORY, Math.max(resources.memory().least(), resources.memory().most()));
    unit.put(QuotaResource.GPU, (long) resources.gpus());
    return new Amounts(unit);
  }

  /** The workload itself, however many replicas it has. */
  public static Amounts once(WorkloadKind kind) {
    return switch (kind) {
      case SERVICE -> Amounts.of(QuotaResource.SERVICES, 1);
      case NOTEBOOK -> Amounts.of(QuotaResource.NOTEBOOKS, 1);
      case SHELL -> Amounts.NONE;
    };
  }
}
