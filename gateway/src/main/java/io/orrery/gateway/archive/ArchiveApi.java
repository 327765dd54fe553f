package io.orrery.gateway.archive;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Annotations;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.bus.contract.Metrics;
import io.orrery.core.bus.contract.Metrics.Series;
import io.orrery.core.experiment.Experiment;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.time.Clock;
import io.orrery.core.trial.Trial;
import io.orrery.gateway.auth.Callers;
import io.orrery.gateway.experiment.ExperimentShape;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.EdgeOptions;
import io.orrery.gateway.http.Outflow;
import io.orrery.gateway.http.PathIds;
import io.orrery.gateway.http.Query;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RequestBody;
import io.orrery.gateway.http.RouteNeed;
import io.orrery.gateway.project.ProjectAccess;
import io.orrery.gateway.trial.TrialWalk;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.List;

/**
 * The API of archives: {@code GET /experiments/{id}/archive} writes an experiment, {@code POST
 * /experiments/restore} restores one. Credentials of a platform do not travel.
 */
public final class ArchiveApi implements Api {
  private static final int MAX_BYTES = 128 << 20;
  private static final int EVERY_POINT = Integer.MAX_VALUE;

  private final Bus bus;
  private final RequestBody bodies;
  private final Clock clock;
  private final EdgeOptions options;
  private final ProjectAccess projects;

  public ArchiveApi(Bus bus, RequestBody bodies, Clock clock, EdgeOptions options) {
    this.bus = bus;
    this.bodies = bodies;
    this.clock = clock;
    this.options = options;
    this.projects = new ProjectAccess(bus);
  }

  @Override
  public void mount(ApiRouter router) {
    router.stream(ApiRouter.V1 + "/experiments/:experiment/archive", RouteNeed.READ, this::write);
    router.post(
        ApiRouter.V1 + "/experiments/restore", RouteNeed.CHECKED, this::restore, "base", "project");
  }

  private void write(RoutingContext context) {
    ExperimentId id = PathIds.experiment(context);
    bus.request(Experiments.GET, new Experiments.Get(id))
        .compose(experiment -> write(context, experiment))
        .onFailure(context::fail);
  }

  private Future<Void> write(RoutingContext context, Experiment experiment) {
    context.response().putHeader(HttpHeaders.CONTENT_TYPE, "application/x-ndjson");
    Outflow out = new Outflow(context.response(), clock, options.patience(), () -> {});
    return bus.request(Annotations.GET, new Annotations.Of(experiment.id(), null))
        .compose(noted -> out.write(line(ArchiveShape.experiment(experiment, noted))))
        .compose(headed ->
            TrialWalk.over(
                bus, experiment.id(), null, List.of(), trials -> write(out, experiment, trials)))
        .onSuccess(complete -> out.end());
  }

  private Future<Void> write(Outflow out, Experiment experiment, List<Trial> trials) {
    List<TrialId> ids = trials.stream().map(trial -> trial.ref().trial()).toList();
    return bus.request(Annotations.SEVERAL, new Annotations.OfTrials(experiment.id(), ids))
        .compose(noted -> write(out, trials, noted));
  }

  private Future<Void> write(Outflow out, List<Trial> trials, Annotations.Several noted) {
    List<Future<Series>> asked = new ArrayList<>();
    for (Trial trial : trials) {
      asked.add(bus.request(Metrics.SERIES, new Metrics.SeriesOf(trial.ref(), EVERY_POINT, null)));
    }
    return Future.all(asked)
        .compose(all -> {
          Buffer lines = Buffer.buffer();
          for (int i = 0; i < trials.size(); i++) {
            Trial trial = trials.get(i);
            lines.appendBuffer(
                line(
                    ArchiveShape.trial(
                        trial, asked.get(i).result(), noted.of(trial.ref().trial()))));
          }
          return out.write(lines);
        });
  }

  private static Buffer line(JsonNode json) {
    return Buffer.buffer(json.toString()).appendString("\n");
  }

  /** Read on a worker: an archive may be long. */
  private Future<Reply> restore(RoutingContext context) {
    Query query = Query.of(context);
    String base = query.text("base");
    ProjectName project = query.read("project", ProjectAccess::named);
    boolean serverFiles = Callers.serverFiles(context);
    Vertx vertx = context.vertx();
    return bodies
        .text(context, MAX_BYTES)
        .compose(text ->
            projects
                .forCreation(context, project)
                .compose(owned ->
                    vertx.executeBlocking(
                        () -> new ArchiveReader(base, owned, serverFiles).read(text), false)))
        .compose(past -> bus.request(Experiments.RESTORE, past))
        .map(experiment ->
            Reply.created(
                ApiRouter.V1 + "/experiments/" + experiment.id(),
                ExperimentShape.whole(experiment)));
  }
}
