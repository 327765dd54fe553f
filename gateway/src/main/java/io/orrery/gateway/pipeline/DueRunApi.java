package io.orrery.gateway.pipeline;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.access.Need;
import io.orrery.core.bus.Address;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Schedules;
import io.orrery.core.bus.contract.Schedules.ChangeDueRun;
import io.orrery.core.bus.contract.Schedules.DueRun;
import io.orrery.core.bus.contract.Schedules.DueStatus;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.run.PipelineName;
import io.orrery.gateway.auth.Callers;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.Pages;
import io.orrery.gateway.http.Query;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RequestBody;
import io.orrery.gateway.http.RouteNeed;
import io.orrery.gateway.http.Wire;
import io.orrery.gateway.project.ProjectAccess;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** The API of due runs, {@code /api/v1/due-runs}. */
final class DueRunApi implements Api {
  private static final String ALL = ApiRouter.V1 + "/due-runs";
  private static final String ONE = ALL + "/:due";
  private static final int MAX_BYTES = 1_000;

  private final Bus bus;
  private final RequestBody bodies;

  public DueRunApi(Bus bus, RequestBody bodies) {
    this.bus = bus;
    this.bodies = bodies;
  }

  @Override
  public void mount(ApiRouter router) {
    router.get(
        ALL, RouteNeed.STUDIO, this::list, "pipeline", "project", "status", "cursor", "limit");
    router.get(ONE, RouteNeed.STUDIO, this::show);
    router.post(
        ONE + "/skip", RouteNeed.STUDIO, context -> change(context, Schedules.SKIP), "dryRun");
    router.post(
        ONE + "/again", RouteNeed.STUDIO, context -> change(context, Schedules.AGAIN), "dryRun");
  }

  private Future<Reply> list(RoutingContext context) {
    Query query = Query.of(context);
    List<String> words = Arrays.stream(DueStatus.values()).map(DueRunApi::word).toList();
    String status = query.oneOf("status", words);
    return bus.request(
            Schedules.DUE_RUNS,
            new Schedules.ListDueRuns(
                ProjectAccess.among(context, query.read("project", ProjectAccess::named)),
                query.read("pipeline", DueRunApi::pipeline),
                status == null ? null : DueStatus.valueOf(status.toUpperCase(Locale.ROOT)),
                query.text("cursor"),
                Pages.limit(query)))
        .map(page -> Reply.ok(Pages.of(page.items(), DueRunApi::shape, page.next())));
  }

  private static PipelineName pipeline(String text) {
    if (!PipelineName.valid(text)) {
      throw new Problem.Refused(new Finding("", "'" + text + "' is no name of a pipeline"))
          .toException();
    }
    return new PipelineName(text);
  }

  private Future<Reply> show(RoutingContext context) {
    return allowed(context, Need.READ).map(due -> Reply.ok(shape(due)));
  }

  private Future<Reply> change(RoutingContext context, Address<ChangeDueRun, DueRun> address) {
    boolean dryRun = Query.of(context).flag("dryRun");
    return bodies
        .text(context, MAX_BYTES)
        .compose(ignored -> allowed(context, Need.OPERATE))
        .compose(due ->
            dryRun
                ? Future.succeededFuture(due)
                : bus.request(address, new ChangeDueRun(Callers.actor(context), due.id())))
        .map(due -> Reply.ok(shape(due)));
  }

  /** A due run is its pipeline's. */
  private Future<DueRun> allowed(RoutingContext context, Need need) {
    String id = Objects.requireNonNull(context.pathParam("due"));
    return bus.request(Schedules.DUE_RUN, new Schedules.OfDueRun(id))
        .compose(due ->
            PipelineApi.allowed(bus, context, due.pipeline(), need)
                .map(due)
                .recover(failure ->
                    Future.failedFuture(
                        Problem.of(failure) instanceof Problem.NotFound
                            ? new Problem.NotFound("There is no due run '" + id + "'.")
                                .toException()
                            : failure)));
  }

  private static String word(DueStatus status) {
    return status.name().toLowerCase(Locale.ROOT);
  }

  private static ObjectNode shape(DueRun due) {
    return Json.MAPPER
        .createObjectNode()
        .put("id", due.id())
        .put("pipeline", due.pipeline().value())
        .put("project", due.project().value())
        .put("due", Wire.time(due.due()))
        .put("status", word(due.status()))
        .put("run", Objects.toString(due.run(), null))
        .put("runStatus", Objects.toString(due.runStatus(), null))
        .put("reason", due.reason())
        .put("createdAt", Wire.time(due.createdAt()))
        .put("submittedAt", Wire.time(due.submittedAt()));
  }
}
