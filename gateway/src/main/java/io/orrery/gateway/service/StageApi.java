package io.orrery.gateway.service;

import io.orrery.core.access.Need;
import io.orrery.core.bus.Address;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Domains.Action;
import io.orrery.core.bus.contract.Services;
import io.orrery.core.bus.contract.Services.OfStage;
import io.orrery.core.bus.contract.Services.Service;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.service.ServiceStage;
import io.orrery.gateway.auth.Callers;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.Fields;
import io.orrery.gateway.http.Query;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RequestBody;
import io.orrery.gateway.http.RouteNeed;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** The API that deploys, clears, restarts and scales the stages of a service. */
final class StageApi implements Api {
  private static final int MAX_BYTES = 16 << 10;

  private final Bus bus;
  private final RequestBody bodies;
  private final ServiceShape shape;

  public StageApi(Bus bus, RequestBody bodies, RouterAddress router) {
    this.bus = bus;
    this.bodies = bodies;
    this.shape = new ServiceShape(router);
  }

  @Override
  public void mount(ApiRouter router) {
    router.post(
        ServiceApi.ONE + "/deploy",
        RouteNeed.STUDIO,
        context -> change(context, Need.CHANGE, Services.DEPLOY),
        "dryRun");
    router.post(
        ServiceApi.ONE + "/clear",
        RouteNeed.STUDIO,
        context -> change(context, Need.OPERATE, Services.CLEAR),
        "dryRun");
    router.post(
        ServiceApi.ONE + "/restart",
        RouteNeed.STUDIO,
        context -> change(context, Need.OPERATE, Services.RESTART),
        "dryRun");
    router.post(ServiceApi.ONE + "/scale", RouteNeed.STUDIO, this::scale, "dryRun");
    for (Action action : Action.values()) {
      router.post(
          ServiceApi.ONE + "/rollout/" + action.name().toLowerCase(Locale.ROOT),
          RouteNeed.STUDIO,
          context -> steer(context, action),
          "dryRun");
    }
  }

  private Future<Reply> steer(RoutingContext context, Action action) {
    boolean dryRun = Query.of(context).flag("dryRun");
    return bodies
        .text(context, MAX_BYTES)
        .compose(ignored -> ServiceApi.allowed(bus, context, Need.OPERATE))
        .compose(service ->
            dryRun
                ? Future.succeededFuture(service)
                : bus.request(
                    Services.STEER,
                    new Services.SteerUpgrade(Callers.actor(context), service.name(), action)))
        .map(changed -> Reply.ok(shape.of(changed)));
  }

  private Future<Reply> change(
      RoutingContext context, Need need, Address<OfStage, Service> address) {
    boolean dryRun = Query.of(context).flag("dryRun");
    return bodies
        .text(context, MAX_BYTES)
        .compose(text ->
            ServiceApi.allowed(bus, context, need)
                .compose(service -> {
                  Fields fields = fields(text, List.of("stage"), "{\"stage\": \"test\"}");
                  ServiceStage stage = stage(fields);
                  fields.check();
                  return dryRun
                      ? Future.succeededFuture(service)
                      : bus.request(
                          address, new OfStage(Callers.actor(context), service.name(), stage));
                }))
        .map(changed -> Reply.ok(shape.of(changed)));
  }

  private Future<Reply> scale(RoutingContext context) {
    boolean dryRun = Query.of(context).flag("dryRun");
    return bodies
        .text(context, MAX_BYTES)
        .compose(text ->
            ServiceApi.allowed(bus, context, Need.OPERATE)
                .compose(service -> {
                  Fields fields = fields(text, List.of("replicas", "stage"), "{\"replicas\": 3}");
                  ServiceStage stage = stage(fields);
                  Integer replicas = fields.integer("replicas", 0, Services.MOST_REPLICAS);
                  fields.check();
                  if (replicas == null) {
                    throw new Problem.Refused(
                            new Finding("/replicas", "the number of replicas is missing"))
                        .toException();
                  }
                  return dryRun
                      ? Future.succeededFuture(service)
                      : bus.request(
                          Services.SCALE,
                          new Services.Scale(
                              Callers.actor(context), service.name(), stage, replicas));
                }))
        .map(changed -> Reply.ok(shape.of(changed)));
  }

  private static Fields fields(String text, List<String> keys, String example) {
    return Fields.of(text.isBlank() ? "{}" : text, keys, example);
  }

  private static ServiceStage stage(Fields fields) {
    return Objects.requireNonNullElse(
        fields.word("stage", ServiceStage::of, ServiceStage.words()), ServiceStage.PRODUCTION);
  }
}
