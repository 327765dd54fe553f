package io.orrery.studio.quota;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Quotas;
import io.orrery.core.bus.contract.Workloads.Want;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.quota.WorkloadCharge;
import io.vertx.core.Future;
import java.util.List;

/** Refuses what would never fit into the quota of its project. */
public final class QuotaCheck {
  private QuotaCheck() {}

  /** The same for a workload of which one replica alone does not fit. */
  public static Future<Void> ofWorkload(Bus bus, Want want) {
    return bus.request(
            Quotas.CHECK,
            new Quotas.Check(
                want.project(),
                "a replica of it",
                WorkloadCharge.ofReplica(want.spec())
                    .plus(WorkloadCharge.once(want.workload().kind()))))
        .recover(failure ->
            Bus.isNowhere(failure)
                ? Future.succeededFuture(new Quotas.Checked(List.of()))
                : Future.failedFuture(failure))
        .compose(checked ->
            checked.findings().isEmpty()
                ? Future.succeededFuture()
                : Future.failedFuture(
                    Problem.Refused.of(
                            checked.findings().stream()
                                .map(sentence -> new Finding("/resources", sentence))
                                .toList())
                        .toException()));
  }
}
