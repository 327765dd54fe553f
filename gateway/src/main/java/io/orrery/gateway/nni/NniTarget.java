package io.orrery.gateway.nni;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.experiment.Experiment;
import io.orrery.core.experiment.ExperimentId;
import io.orrery.core.problem.Problem;
import io.orrery.core.trial.Trial;
import io.orrery.core.trial.TrialId;
import io.orrery.core.trial.TrialRef;
import io.orrery.gateway.discovery.ExperimentPorts;
import io.orrery.gateway.http.PathIds;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Resolves the experiment of a request to NNI's API: the one in its path, or the one whose prefix
 * begins it, else the one of the port, else the newest.
 */
final class NniTarget {
  private final Bus bus;
  private final ExperimentPorts ports;

  NniTarget(Bus bus, ExperimentPorts ports) {
    this.bus = bus;
    this.ports = ports;
  }

  /** NotFound when there is none. */
  Future<Experiment> experiment(RoutingContext context) {
    ExperimentId meant = meant(context);
    return meant == null ? newest() : bus.request(Experiments.GET, new Experiments.Get(meant));
  }

  Future<ExperimentId> id(RoutingContext context) {
    ExperimentId meant = meant(context);
    return meant == null ? newest().map(Experiment::id) : Future.succeededFuture(meant);
  }

  /** Whether an address means one experiment, rather than whichever is the newest. */
  boolean isOne(RoutingContext context) {
    return meant(context) != null;
  }

  /** The trial that the address names; NotFound when there is none. */
  Future<Trial> trial(RoutingContext context) {
    return ref(context).compose(ref -> bus.request(Trials.GET, new Trials.Get(ref)));
  }

  /** The trial that is meant, empty when the experiment, which must be there, has none such. */
  Future<Optional<Trial>> knownTrial(RoutingContext context) {
    return trial(context)
        .map(Optional::of)
        .recover(failure ->
            Problem.of(failure) instanceof Problem.NotFound
                ? id(context)
                    .compose(id -> bus.request(Experiments.GET, new Experiments.Get(id)))
                    .map(there -> Optional.<Trial>empty())
                : Future.failedFuture(failure));
  }

  Future<TrialRef> ref(RoutingContext context) {
    String text = context.pathParam("trial");
    if (!TrialId.valid(text)) {
      return Future.failedFuture(
          new Problem.NotFound("There is no trial '" + text + "'.").toException());
    }
    return id(context).map(experiment -> new TrialRef(experiment, new TrialId(text)));
  }

  private Future<Experiment> newest() {
    return bus.request(Experiments.LIST, new Experiments.ListAll(null, 1))
        .map(page -> {
          if (page.items().isEmpty()) {
            throw new Problem.NotFound("No experiment has been created here yet.").toException();
          }
          return page.items().getFirst();
        });
  }

  private @Nullable ExperimentId meant(RoutingContext context) {
    String prefix = context.pathParam("prefix");
    if (prefix != null) {
      ExperimentId known = ports.below(prefix);
      if (known == null) {
        throw new Problem.NotFound("No experiment was created with the prefix '" + prefix + "'.")
            .toException();
      }
      return known;
    }
    return context.pathParam("experiment") == null
        ? ports.at(context.request().localAddress().port())
        : PathIds.experiment(context);
  }
}
