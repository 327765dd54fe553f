package io.orrery.studio.quota;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.QuotaFit;
import io.orrery.core.bus.contract.Workloads.Want;
import io.orrery.core.quota.WorkloadCharge;
import io.vertx.core.Future;

/** Refuses workloads of which one replica alone would never fit into the quota of its project. */
public final class QuotaCheck {
  private QuotaCheck() {}

  /** Completes when a replica fits; fails with Refused when none ever does. */
  public static Future<Void> ofWorkload(Bus bus, Want want) {
    return QuotaFit.require(
        bus,
        want.project(),
        "a replica of it",
        WorkloadCharge.ofReplica(want.spec()).plus(WorkloadCharge.once(want.workload().kind())),
        "/resources");
  }
}
