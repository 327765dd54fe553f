package io.orrery.gateway.service;

import io.orrery.core.access.Need;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Services;
import io.orrery.core.bus.contract.Services.Service;
import io.orrery.core.bus.contract.Services.Stage;
import io.orrery.core.bus.contract.Workloads;
import io.orrery.core.bus.contract.Workloads.Workload;
import io.orrery.core.problem.Problem;
import io.orrery.core.service.ServiceStage;
import io.orrery.core.workload.Replica;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.LogStreams;
import io.orrery.gateway.http.Pages;
import io.orrery.gateway.http.Query;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RouteNeed;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.Objects;
import java.util.stream.Collectors;

/** The API of the logs, events and scalings of a service's replicas. */
final class ServiceLogApi implements Api {
  private final Bus bus;
  private final LogStreams streams;

  public ServiceLogApi(Bus bus, LogStreams streams) {
    this.bus = bus;
    this.streams = streams;
  }

  @Override
  public void mount(ApiRouter router) {
    router.stream(
        ServiceApi.ONE + "/logs",
        RouteNeed.STUDIO,
        this::logs,
        "stage",
        "replica",
        "previous",
        "offset",
        "follow");
    router.get(
        ServiceApi.ONE + "/events", RouteNeed.STUDIO, this::events, "stage", "cursor", "limit");
    router.get(ServiceApi.ONE + "/scalings", RouteNeed.STUDIO, this::scalings, "cursor", "limit");
  }

  private void logs(RoutingContext context) {
    Query query = Query.of(context);
    ServiceStage stage = stage(query);
    boolean previous = query.flag("previous");
    ServiceApi.allowed(bus, context, Need.READ)
        .map(service -> replica(service, stage, query))
        .onSuccess(replica ->
            streams.send(
                context,
                (offset, limit) ->
                    bus.request(
                        Workloads.READ_LOG,
                        new Workloads.ReadLog(replica, previous, offset, limit))))
        .onFailure(context::fail);
  }

  /** The replica that is asked for, or else the first. */
  private static ReplicaRef replica(Service service, ServiceStage stage, Query query) {
    Workload workload =
        service.stages().stream()
            .filter(each -> each.stage() == stage)
            .map(Stage::workload)
            .filter(Objects::nonNull)
            .findFirst()
            .orElseThrow(() ->
                new Problem.Conflict(
                        "Service %s does not run at the stage %s."
                            .formatted(service.name(), stage.word()))
                    .toException());
    String wanted = query.text("replica");
    return workload.replicas().stream()
        .map(Replica::ref)
        .filter(ref -> wanted == null || ref.id().equals(wanted))
        .reduce(
            (one, other) -> wanted == null && other.generation() > one.generation() ? other : one)
        .orElseThrow(() ->
            new Problem.NotFound(
                    "Service %s has no replica %s; it has %s."
                        .formatted(
                            service.name(),
                            Objects.requireNonNullElse(wanted, "yet"),
                            workload.replicas().isEmpty()
                                ? "none"
                                : workload.replicas().stream()
                                    .map(replica -> replica.ref().id())
                                    .collect(Collectors.joining(", "))))
                .toException());
  }

  private Future<Reply> events(RoutingContext context) {
    ServiceStage stage = stage(Query.of(context));
    return ServiceApi.allowed(bus, context, Need.READ)
        .compose(service ->
            bus.request(Workloads.EVENTS, new Workloads.EventsOf(stage.workload(service.name()))))
        .map(events ->
            Reply.ok(
                Pages.cut(
                    Query.of(context),
                    Pages.of(events.items(), ServiceShape::of, null),
                    "/number")));
  }

  private Future<Reply> scalings(RoutingContext context) {
    return ServiceApi.allowed(bus, context, Need.READ)
        .compose(service -> bus.request(Services.SCALINGS, new Services.ScalingsOf(service.name())))
        .map(scalings ->
            Reply.ok(
                Pages.cut(
                    Query.of(context), Pages.of(scalings.items(), ServiceShape::of, null), "/at")));
  }

  private static ServiceStage stage(Query query) {
    ServiceStage stage =
        query.read(
            "stage",
            text ->
                ServiceStage.of(text)
                    .orElseThrow(() ->
                        new IllegalArgumentException(
                            "one of " + String.join(", ", ServiceStage.words()))));
    return stage == null ? ServiceStage.PRODUCTION : stage;
  }
}
