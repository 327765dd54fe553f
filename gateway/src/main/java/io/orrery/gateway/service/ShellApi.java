package io.orrery.gateway.service;

import io.orrery.core.access.Need;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Workloads;
import io.orrery.core.bus.contract.Workloads.Workload;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.workload.Replica;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.gateway.auth.Callers;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.Query;
import io.orrery.gateway.http.RouteNeed;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.util.Comparator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The terminal of a workload, {@code GET /api/v1/workloads/{workload}/shell}, which becomes a
 * WebSocket. It is for callers who may change the workload.
 */
public final class ShellApi implements Api {
  private static final Logger LOG = LoggerFactory.getLogger(ShellApi.class);

  private final Bus bus;

  public ShellApi(Bus bus) {
    this.bus = bus;
  }

  @Override
  public void mount(ApiRouter router) {
    router.stream(WorkloadApi.ONE + "/shell", RouteNeed.STUDIO, this::open, "replica");
  }

  private void open(RoutingContext context) {
    if (!"websocket".equalsIgnoreCase(context.request().getHeader(HttpHeaders.UPGRADE))) {
      throw new Problem.Refused(new Finding("", "this address speaks WebSocket")).toException();
    }
    String wanted = Query.of(context).text("replica");
    context.request().pause();
    bus.request(
            Workloads.GET, new Workloads.Get(WorkloadApi.workload(context.pathParam("workload"))))
        .map(workload -> {
          Callers.require(
              Callers.of(context),
              Need.CHANGE,
              new ResourceOwner(workload.project(), workload.owner()),
              "workload " + workload.workload());
          return replica(workload, wanted);
        })
        .onSuccess(replica -> {
          LOG.info("{} opens a shell in {}", Callers.of(context).name(), replica);
          context
              .request()
              .toWebSocket()
              .onSuccess(socket -> new ShellSocket(bus, socket).open(replica))
              .onFailure(failure -> LOG.debug("could not open a shell: {}", failure.getMessage()));
        })
        .onFailure(failure -> {
          context.request().resume();
          context.fail(failure);
        });
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
