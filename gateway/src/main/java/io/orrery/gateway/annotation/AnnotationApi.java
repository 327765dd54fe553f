package io.orrery.gateway.annotation;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Annotations;
import io.orrery.core.bus.contract.Annotations.Annotation;
import io.orrery.core.bus.contract.Annotations.Of;
import io.orrery.core.id.TrialRef;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.DryRun;
import io.orrery.gateway.http.PathIds;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RequestBody;
import io.orrery.gateway.http.RouteNeed;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/**
 * The API of notes and tags: {@code /experiments/{id}/annotation} and {@code
 * /experiments/{id}/trials/{id}/annotation}.
 */
public final class AnnotationApi implements Api {
  private static final String EXPERIMENT = ApiRouter.V1 + "/experiments/:experiment";
  private static final String OF_EXPERIMENT = EXPERIMENT + "/annotation";
  private static final String OF_TRIAL = EXPERIMENT + "/trials/:trial/annotation";

  /** A note of the longest kind, each character written as six. */
  private static final int MOST_BYTES = 128 << 10;

  private final Bus bus;
  private final RequestBody bodies;

  public AnnotationApi(Bus bus, RequestBody bodies) {
    this.bus = bus;
    this.bodies = bodies;
  }

  @Override
  public void mount(ApiRouter router) {
    router.get(OF_EXPERIMENT, RouteNeed.READ, context -> get(experiment(context)));
    router.patch(
        OF_EXPERIMENT,
        RouteNeed.CHANGE,
        context -> change(context, experiment(context)),
        DryRun.PARAMETER);
    router.get(OF_TRIAL, RouteNeed.READ, context -> get(trial(context)));
    router.patch(
        OF_TRIAL, RouteNeed.CHANGE, context -> change(context, trial(context)), DryRun.PARAMETER);
  }

  private static Of experiment(RoutingContext context) {
    return new Of(PathIds.experiment(context), null);
  }

  private static Of trial(RoutingContext context) {
    TrialRef trial = PathIds.trial(context);
    return new Of(trial.experiment(), trial.trial());
  }

  private Future<Reply> get(Of of) {
    return bus.request(Annotations.GET, of).map(AnnotationApi::reply);
  }

  private Future<Reply> change(RoutingContext context, Of of) {
    boolean dryRun = DryRun.isAsked(context);
    return bodies
        .text(context, MOST_BYTES)
        .compose(text -> {
          JsonNode body = Json.parse(text);
          if (!body.isObject()) {
            throw new Problem.Refused(
                    new Finding(
                        "", "a change is a JSON object such as {\"note\": \"\", \"tags\": []}"))
                .toException();
          }
          Annotations.Change wanted = AnnotationReader.read(of, body);
          return dryRun
              ? get(of)
              : bus.request(Annotations.CHANGE, wanted).map(AnnotationApi::reply);
        });
  }

  private static Reply reply(Annotation annotation) {
    return Reply.ok(AnnotationShape.of(annotation));
  }
}
