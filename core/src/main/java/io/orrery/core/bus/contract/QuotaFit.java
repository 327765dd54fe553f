package io.orrery.core.bus.contract;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Bus;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.quota.Amounts;
import io.vertx.core.Future;
import java.util.List;

/** Refuses what would never fit into the quota of its project. */
public final class QuotaFit {
  private QuotaFit() {}

  /**
   * Completes when one unit fits while nothing else is used; fails with Refused when it never does.
   * A server without a ledger has no quotas.
   *
   * @param what for whom, such as {@code a trial of it}
   * @param pointer of the findings
   */
  public static Future<Void> require(
      Bus bus, ProjectName project, String what, Amounts unit, String pointer) {
    return bus.request(Quotas.CHECK, new Quotas.Check(project, what, unit))
        .map(Quotas.Checked::findings)
        .recover(failure ->
            Bus.isNowhere(failure)
                ? Future.succeededFuture(List.of())
                : Future.failedFuture(failure))
        .compose(findings ->
            findings.isEmpty()
                ? Future.succeededFuture()
                : Future.failedFuture(
                    Problem.Refused.of(
                            findings.stream().map(each -> new Finding(pointer, each)).toList())
                        .toException()));
  }
}
