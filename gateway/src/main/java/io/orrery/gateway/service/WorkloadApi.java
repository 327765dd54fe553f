package io.orrery.gateway.service;

import io.orrery.core.access.Need;
import io.orrery.core.access.ProjectName;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Workloads;
import io.orrery.core.problem.Problem;
import io.orrery.core.workload.WorkloadKind;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.core.workload.WorkloadStatus;
import io.orrery.gateway.auth.Callers;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.ListFilter;
import io.orrery.gateway.http.Pages;
import io.orrery.gateway.http.Query;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RouteNeed;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.Arrays;
import java.util.List;

/** The API of workloads, {@code /api/v1/workloads}: all programs that are kept running. */
final class WorkloadApi implements Api {
  private static final String ALL = ApiRouter.V1 + "/workloads";
  static final String ONE = ALL + "/:workload";

  private final Bus bus;

  public WorkloadApi(Bus bus) {
    this.bus = bus;
  }

  @Override
  public void mount(ApiRouter router) {
    router.get(
        ALL, RouteNeed.STUDIO, this::list, "project", "owner", "q", "status", "cursor", "limit");
    router.get(ONE, RouteNeed.STUDIO, this::show);
  }

  private Future<Reply> list(RoutingContext context) {
    List<ProjectName> visible = Callers.visible(context);
    ListFilter filter =
        new ListFilter(Query.of(context))
            .equal("project", "/project")
            .equal("owner", "/owner")
            .oneOf(
                "status",
                "/status",
                Arrays.stream(WorkloadStatus.values()).map(Enum::name).toList())
            .text("/id", "/name");
    return bus.request(Workloads.LIST, new Workloads.ListSome(null))
        .map(listed ->
            Reply.ok(
                Pages.cut(
                    Query.of(context),
                    filter.of(
                        Pages.of(
                            listed.items().stream()
                                .filter(each -> visible == null || visible.contains(each.project()))
                                .toList(),
                            ServiceShape::of,
                            null)),
                    "/id")));
  }

  private Future<Reply> show(RoutingContext context) {
    String id = context.pathParam("workload");
    return bus.request(Workloads.GET, new Workloads.Get(workload(id)))
        .map(workload -> {
          Callers.require(
              Callers.of(context),
              Need.READ,
              new ResourceOwner(workload.project(), workload.owner()),
              "workload " + workload.workload());
          return Reply.ok(ServiceShape.of(workload));
        });
  }

  /** The workload of an id such as {@code service-hello}. */
  static WorkloadRef workload(String id) {
    int hyphen = id.indexOf('-');
    try {
      return new WorkloadRef(
          WorkloadKind.of(id.substring(0, Math.max(0, hyphen))), id.substring(hyphen + 1));
    } catch (IllegalArgumentException e) {
      throw new Problem.NotFound("There is no workload '" + id + "'.").toException();
    }
  }
}
