package io.orrery.gateway.service;

import io.orrery.core.access.Caller;
import io.orrery.core.access.Need;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.Workloads;
import io.orrery.core.bus.contract.Workloads.Workload;
import io.orrery.core.problem.Problem;
import io.orrery.core.workload.Replica;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.WorkloadKind;
import io.orrery.gateway.auth.Callers;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.Query;
import io.orrery.gateway.http.RouteNeed;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.ext.web.RoutingContext;
import java.util.Comparator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The terminal of a workload, {@code GET /api/v1/workloads/{workload}/shell}, which becomes a
 * WebSocket. It is for those who may restart the workload.
 */
final class ShellApi implements Api {
  private final Bus bus;

  public ShellApi(Bus bus) {
    this.bus = bus;
  }

  @Override
  public void mount(ApiRouter router) {
    router.webSocketLater(WorkloadApi.ONE + "/shell", RouteNeed.STUDIO, this::open, "replica");
  }

  private Future<Handler<ServerWebSocket>> open(RoutingContext context) {
    String wanted = Query.of(context).text("replica");
    Actor by = Callers.actor(context);
    return bus.request(
            Workloads.GET, new Workloads.Get(WorkloadApi.workload(context.pathParam("workload"))))
        .map(workload -> {
          Callers.require(
              Callers.of(context),
              Need.OPERATE,
              new ResourceOwner(workload.project(), workload.owner()),
              "workload " + workload.workload());
          refuseStranger(Callers.of(context), workload);
          ReplicaRef replica = replica(workload, wanted);
          return socket -> new ShellSocket(bus, socket).open(replica, by);
        });
  }

  /** A shell in a notebook acts as its owner, which no other user may, an administrator neither. */
  private static void refuseStranger(Caller caller, Workload workload) {
    if (workload.workload().kind() == WorkloadKind.NOTEBOOK
        && !caller.name().equals(workload.owner())) {
      throw new Problem.Forbidden(
              "%s may not open a shell in %s: it belongs to %s."
                  .formatted(caller.name(), workload.workload(), workload.owner()))
          .toException();
    }
  }

  /** The replica that is asked for, or else one that is ready, of the newest generation. */
  private static ReplicaRef replica(Workload workload, @Nullable String wanted) {
    return workload.replicas().stream()
        .filter(replica -> wanted == null || replica.ref().id().equals(wanted))
        .max(
            Comparator.comparing((Replica replica) -> replica.phase().isReady())
                .thenComparingLong(replica -> replica.ref().generation()))
        .map(Replica::ref)
        .orElseThrow(() ->
            new Problem.NotFound(
                    "%s has no replica%s; it has %s."
                        .formatted(
                            workload.workload(),
                            wanted == null ? "" : " " + wanted,
                            workload.replicas().isEmpty()
                                ? "none"
                                : workload.replicas().stream()
                                    .map(replica -> replica.ref().id())
                                    .collect(Collectors.joining(", "))))
                .toException());
  }
}
