package io.orrery.orchestrator.experiment.directory;

import io.orrery.core.access.ProjectName;
import io.orrery.core.async.AsyncLoop;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.QuotaFit;
import io.orrery.core.bus.contract.Quotas;
import io.orrery.core.id.ExperimentId;
import io.orrery.orchestrator.experiment.store.ExperimentTable;
import io.orrery.orchestrator.quota.TrialCharge;
import io.vertx.core.Future;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refuses experiments of which no trial would ever fit into the quota of their project, and gives
 * back what an owner that was killed has left charged to an experiment that is over.
 */
final class ExperimentQuotas {
  private static final Logger LOG = LoggerFactory.getLogger(ExperimentQuotas.class);
  private static final String KIND = "experiment";

  private final Bus bus;
  private final ExperimentTable experiments;
  private boolean swept;

  ExperimentQuotas(Bus bus, ExperimentTable experiments) {
    this.bus = bus;
    this.experiments = experiments;
  }

  Future<Creation.Read> mustFit(ProjectName project, Creation.Read read) {
    return QuotaFit.require(bus, project, "a trial of it", TrialCharge.of(read.spec().job()), "")
        .map(read);
  }

  /** Once, after this server has taken up what it owns. */
  void sweep() {
    if (swept) {
      return;
    }
    swept = true;
    bus.request(Quotas.HELD, new Quotas.HeldBy(KIND))
        .onSuccess(all -> {
          Set<String> names = new HashSet<>();
          all.items().forEach(each -> names.add(each.object().name()));
          AsyncLoop.inTurn(names, this::giveBackIfOver);
        })
        .onFailure(failure -> {
          swept = Bus.isNowhere(failure);
          if (!Bus.isUnserved(failure)) {
            LOG.warn("could not look for charges that were left: {}", failure.getMessage());
          }
        });
  }

  private Future<?> giveBackIfOver(String name) {
    return experiments
        .find(new ExperimentId(name))
        .compose(found ->
            found.filter(record -> !record.over()).isPresent()
                ? Future.succeededFuture()
                : bus.request(
                    Quotas.RELEASE, new Quotas.Release(KIND, name, Long.MAX_VALUE, List.of())))
        .onFailure(
            failure -> LOG.warn("could not give back the quota of experiment {}", name, failure))
        .otherwiseEmpty();
  }
}
