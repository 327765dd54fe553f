package io.orrery.gateway.pipeline;

import io.orrery.core.access.AccessDecision;
import io.orrery.core.access.Caller;
import io.orrery.core.access.Need;
import io.orrery.core.access.Permits;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.PipelineRuns;
import io.orrery.core.bus.contract.PipelineRuns.RunView;
import io.orrery.core.bus.contract.PipelineRuns.Step;
import io.orrery.core.bus.contract.PipelineRuns.Verb;
import io.orrery.core.bus.contract.Pipelines;
import io.orrery.core.bus.contract.RunChecks;
import io.orrery.core.problem.Problem;
import io.orrery.core.run.RunId;
import io.orrery.core.run.RunStatus;
import io.orrery.gateway.auth.Callers;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.DryRun;
import io.orrery.gateway.http.Fields;
import io.orrery.gateway.http.Pages;
import io.orrery.gateway.http.Query;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RequestBody;
import io.orrery.gateway.http.RouteNeed;
import io.orrery.gateway.project.ProjectAccess;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Objects;

/** The API of runs, {@code /api/v1/runs}. {@link RunFileApi} sends what steps wrote and made. */
public final class RunApi implements Api {
  static final String ALL = ApiRouter.V1 + "/runs";
  static final String ONE = ALL + "/:run";
  private static final int MAX_BYTES = 1 << 20;
  private static final int MOST_WHY = 2_000;
  private static final int MOST_STEPS = 10_000;

  private final Bus bus;
  private final RequestBody bodies;

  public RunApi(Bus bus, RequestBody bodies) {
    this.bus = bus;
    this.bodies = bodies;
  }

  @Override
  public void mount(ApiRouter router) {
    router.get(
        ALL,
        RouteNeed.STUDIO,
        this::list,
        "pipeline",
        "project",
        "owner",
        "status",
        "trigger",
        "q",
        "cursor",
        "limit");
    router.get(ONE, RouteNeed.STUDIO, this::show);
    router.get(ONE + "/compare/:other", RouteNeed.STUDIO, this::compare);
    router.get(ONE + "/lineage", RouteNeed.STUDIO, this::lineage);
    router.delete(ONE, RouteNeed.STUDIO, this::delete);
    router.get(ONE + "/steps/:step", RouteNeed.STUDIO, this::step);
    router.post(ONE + "/stop", RouteNeed.STUDIO, context -> command(context, Verb.STOP), "dryRun");
    router.post(
        ONE + "/pause", RouteNeed.STUDIO, context -> command(context, Verb.PAUSE), "dryRun");
    router.post(
        ONE + "/resume", RouteNeed.STUDIO, context -> command(context, Verb.RESUME), "dryRun");
    router.post(ONE + "/retry", RouteNeed.STUDIO, this::retry, "dryRun");
    router.post(
        ONE + "/steps/:step/approve", RouteNeed.STUDIO, context -> decide(context, true), "dryRun");
    router.post(
        ONE + "/steps/:step/refuse", RouteNeed.STUDIO, context -> decide(context, false), "dryRun");
  }

  private Future<Reply> list(RoutingContext context) {
    Query query = Query.of(context);
    return bus.request(
            PipelineRuns.LIST,
            new PipelineRuns.ListRuns(
                ProjectAccess.among(context, query.read("project", ProjectAccess::named)),
                query.text("pipeline"),
                query.text("owner"),
                query.oneOf("status", RunStatus.class),
                query.text("trigger"),
                query.text("q"),
                query.text("cursor"),
                Pages.limit(query)))
        .map(page -> Reply.ok(Pages.of(page.items(), RunShape::of, page.next())));
  }

  private Future<Reply> show(RoutingContext context) {
    return allowed(bus, context, Need.READ).map(view -> Reply.ok(RunShape.of(view)));
  }

  private Future<Reply> compare(RoutingContext context) {
    RunId other = id(context, "other");
    return allowed(bus, context, Need.READ)
        .compose(left ->
            allowed(bus, context, other, Need.READ)
                .map(right -> Reply.ok(RunComparison.of(left, right))));
  }

  private Future<Reply> lineage(RoutingContext context) {
    return allowed(bus, context, Need.READ)
        .compose(view ->
            bus.request(PipelineRuns.LINEAGE, new PipelineRuns.GetLineage(view.run().id()))
                .map(lineage -> Reply.ok(RunLineage.of(view, lineage))));
  }

  private Future<Reply> delete(RoutingContext context) {
    return allowed(bus, context, Need.CHANGE)
        .compose(view ->
            bus.request(
                Pipelines.DELETE_RUN,
                new Pipelines.DeleteRun(Callers.actor(context), view.run().id())))
        .map(Reply.empty(204));
  }

  private Future<Reply> step(RoutingContext context) {
    return allowed(bus, context, Need.READ)
        .map(view -> Reply.ok(RunShape.of(step(view, context.pathParam("step")))));
  }

  private Future<Reply> command(RoutingContext context, Verb verb) {
    return bodies.text(context, MAX_BYTES).compose(ignored -> command(context, verb, List.of()));
  }

  private Future<Reply> retry(RoutingContext context) {
    return bodies
        .text(context, MAX_BYTES)
        .compose(text -> {
          Fields fields =
              Fields.of(text.isBlank() ? "{}" : text, List.of("steps"), "{\"steps\": [\"train\"]}");
          List<String> steps = fields.texts("steps", MOST_STEPS);
          fields.check();
          return command(context, Verb.RETRY, Objects.requireNonNullElse(steps, List.of()));
        });
  }

  private Future<Reply> command(RoutingContext context, Verb verb, List<String> steps) {
    var address = DryRun.isAsked(context) ? RunChecks.COMMAND : PipelineRuns.COMMAND;
    return allowed(bus, context, Need.OPERATE)
        .compose(
            view -> bus.request(address, new PipelineRuns.Command(view.run().id(), verb, steps)))
        .map(view -> Reply.ok(RunShape.of(view)));
  }

  /** Who may answer is a matter of the step; without names, users who may operate the run. */
  private Future<Reply> decide(RoutingContext context, boolean approved) {
    String step = context.pathParam("step");
    var address = DryRun.isAsked(context) ? RunChecks.DECIDE : PipelineRuns.DECIDE;
    return bodies
        .text(context, MAX_BYTES)
        .compose(text -> {
          Fields fields =
              Fields.of(text.isBlank() ? "{}" : text, List.of("why"), "{\"why\": \"looks good\"}");
          String why = fields.text("why", MOST_WHY);
          fields.check();
          return allowed(bus, context, Need.READ)
              .compose(view -> {
                Caller caller = Callers.of(context);
                if (caller.readsOnly()) {
                  Callers.require(caller, Need.OPERATE, owner(view), "run " + view.run().id());
                }
                boolean operates =
                    Permits.decide(caller, Need.OPERATE, owner(view)) == AccessDecision.ALLOWED;
                return bus.request(
                    address,
                    new PipelineRuns.Decide(
                        view.run().id(),
                        step,
                        approved,
                        caller.name(),
                        operates,
                        Objects.requireNonNullElse(why, "")));
              });
        })
        .map(view -> Reply.ok(RunShape.of(step(view, step))));
  }

  private static ResourceOwner owner(RunView view) {
    return new ResourceOwner(view.run().project(), view.run().owner());
  }

  /** The run in the path; one that can be none exists not. */
  static RunId id(RoutingContext context) {
    return id(context, "run");
  }

  private static RunId id(RoutingContext context, String name) {
    String text = context.pathParam(name);
    if (!RunId.valid(text)) {
      throw new Problem.NotFound("There is no run '" + text + "'.").toException();
    }
    return new RunId(text);
  }

  /** The step of a name; fails with NotFound. */
  public static Step step(RunView view, String name) {
    return view.steps().stream()
        .filter(step -> step.name().equals(name))
        .findFirst()
        .orElseThrow(() ->
            new Problem.NotFound("Run %s has no step %s.".formatted(view.run().id(), name))
                .toException());
  }

  /** The run of the path, upon which the caller may do something. */
  static Future<RunView> allowed(Bus bus, RoutingContext context, Need need) {
    return allowed(bus, context, id(context), need);
  }

  /** The run of an id, if the caller may read it. */
  public static Future<RunView> readable(Bus bus, RoutingContext context, RunId id) {
    return allowed(bus, context, id, Need.READ);
  }

  private static Future<RunView> allowed(Bus bus, RoutingContext context, RunId id, Need need) {
    return bus.request(PipelineRuns.GET, new PipelineRuns.GetRun(id))
        .map(view -> {
          Callers.require(Callers.of(context), need, owner(view), "run " + view.run().id());
          return view;
        });
  }
}
