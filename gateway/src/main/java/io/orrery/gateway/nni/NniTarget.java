package io.orrery.gateway.nni;

import io.orrery.core.access.Need;
import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.experiment.Experiment;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.trial.Trial;
import io.orrery.gateway.auth.Callers;
import io.orrery.gateway.auth.Ownerships;
import io.orrery.gateway.discovery.ExperimentPorts;
import io.orrery.gateway.http.PathIds;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Resolves the experiment of a request to NNI's API: the one in its path, or the one whose prefix
 * begins it, else the one of the port, else the newest.
 */
final class NniTarget {
  private final Bus bus;
  private final ExperimentPorts ports;
  private final Ownerships ownerships;

  NniTarget(Bus bus, ExperimentPorts ports, Ownerships ownerships) {
    this.bus = bus;
    this.ports = ports;
    this.ownerships = ownerships;
  }

  /** The experiment; NotFound when there is none, or the caller may not do this with it. */
  Future<Experiment> experiment(RoutingContext context) {
    return meant(context) == null
        ? newest(context).compose(found -> permitted(context, found.id()).map(found))
        : id(context).compose(id -> bus.request(Experiments.GET, new Experiments.Get(id)));
  }

  /** The id alone; fails as {@link #experiment} does where that is hidden or out of reach. */
  Future<ExperimentId> id(RoutingContext context) {
    ExperimentId meant = meant(context);
    Future<ExperimentId> found =
        meant == null ? newest(context).map(Experiment::id) : Future.succeededFuture(meant);
    return found.compose(id -> permitted(context, id));
  }

  private Future<ExperimentId> permitted(RoutingContext context, ExperimentId id) {
    String prefix = context.pathParam("prefix");
    Future<ExperimentId> permitted =
        ownerships.require(Callers.of(context), need(context), id).map(id);
    // The id behind a prefix is not told to a caller from whom the experiment is hidden.
    return prefix == null
        ? permitted
        : permitted.recover(failure ->
            Future.failedFuture(
                Problem.of(failure) instanceof Problem.NotFound ? unused(prefix) : failure));
  }

  private static ProblemException unused(String prefix) {
    return new Problem.NotFound("No experiment was created with the prefix '" + prefix + "'.")
        .toException();
  }

  /** Reading needs no more than that; ending it or a trial is operating; the rest is a change. */
  private static Need need(RoutingContext context) {
    HttpServerRequest request = context.request();
    boolean webSocket = request.headers().contains(HttpHeaders.UPGRADE);
    return switch (request.method().name()) {
      case "GET", "HEAD" -> webSocket ? Need.CHANGE : Need.READ;
      case "DELETE" -> Need.OPERATE;
      default -> Need.CHANGE;
    };
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

  /** The newest of the caller's own; an administrator's is the newest of all. */
  private Future<Experiment> newest(RoutingContext context) {
    List<ProjectName> visible = Callers.visible(context);
    String owner = visible == null ? null : Callers.of(context).name();
    return bus.request(Experiments.LIST, new Experiments.ListAll(null, 1, visible, owner))
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
        throw unused(prefix);
      }
      return known;
    }
    return context.pathParam("experiment") == null
        ? ports.at(context.request().localAddress().port())
        : PathIds.experiment(context);
  }
}
