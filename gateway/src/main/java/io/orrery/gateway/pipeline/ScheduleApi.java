package io.orrery.gateway.pipeline;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.access.Need;
import io.orrery.core.bus.Address;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.Pipelines;
import io.orrery.core.bus.contract.Schedules;
import io.orrery.core.bus.contract.Schedules.ChangeSchedule;
import io.orrery.core.bus.contract.Schedules.Instants;
import io.orrery.core.bus.contract.Schedules.Schedule;
import io.orrery.core.json.Json;
import io.orrery.core.run.PipelineName;
import io.orrery.core.time.Clock;
import io.orrery.gateway.auth.Callers;
import io.orrery.gateway.document.DocumentBody;
import io.orrery.gateway.document.DocumentReply;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.DryRun;
import io.orrery.gateway.http.Fields;
import io.orrery.gateway.http.Pages;
import io.orrery.gateway.http.Query;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RequestBody;
import io.orrery.gateway.http.RouteNeed;
import io.orrery.gateway.http.Wire;
import io.orrery.gateway.project.ProjectAccess;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * The API of a pipeline's schedule, {@code /api/v1/pipelines/{pipeline}/schedule}, and the list of
 * all, {@code /api/v1/schedules}.
 */
final class ScheduleApi implements Api {
  private static final String ALL = ApiRouter.V1 + "/schedules";
  private static final String ONE = ApiRouter.V1 + "/pipelines/:pipeline/schedule";
  private static final int MAX_BYTES = 100_000;
  private static final int USUAL_PREVIEW = 20;
  private static final List<String> ADDED =
      List.of("pipeline", "paused", "next", "upcoming", "alerts", "outcome", "notices");

  private final Bus bus;
  private final RequestBody bodies;
  private final Clock clock;

  public ScheduleApi(Bus bus, RequestBody bodies, Clock clock) {
    this.bus = bus;
    this.bodies = bodies;
    this.clock = clock;
  }

  @Override
  public void mount(ApiRouter router) {
    router.get(ALL, RouteNeed.STUDIO, this::list, "project", "cursor", "limit");
    router.get(ONE, RouteNeed.STUDIO, this::show);
    router.put(ONE, RouteNeed.STUDIO, this::put, DryRun.PARAMETER);
    router.delete(ONE, RouteNeed.STUDIO, this::delete);
    router.get(ONE + "/preview", RouteNeed.STUDIO, this::preview, "from", "to", "limit");
    router.post(ONE + "/backfill", RouteNeed.STUDIO, this::backfill, DryRun.PARAMETER);
    router.post(
        ONE + "/pause",
        RouteNeed.STUDIO,
        context -> command(context, Schedules.PAUSE),
        DryRun.PARAMETER);
    router.post(
        ONE + "/resume",
        RouteNeed.STUDIO,
        context -> command(context, Schedules.RESUME),
        DryRun.PARAMETER);
  }

  private Future<Reply> list(RoutingContext context) {
    Query query = Query.of(context);
    return bus.request(
            Schedules.LIST,
            new Schedules.ListSchedules(
                ProjectAccess.among(context, query.read("project", ProjectAccess::named)),
                query.text("cursor"),
                Pages.limit(query)))
        .map(page -> Reply.ok(Pages.of(page.items(), ScheduleApi::shape, page.next())));
  }

  private Future<Reply> show(RoutingContext context) {
    return allowed(context, Need.READ)
        .compose(name -> bus.request(Schedules.GET, new Schedules.OfSchedule(name)))
        .map(schedule -> Reply.ok(shape(schedule)));
  }

  private Future<Reply> put(RoutingContext context) {
    boolean dryRun = DryRun.isAsked(context);
    return bodies
        .text(context, MAX_BYTES)
        .compose(text ->
            allowed(context, Need.CHANGE)
                .compose(name -> {
                  DocumentBody body = DocumentBody.read(text, "schedule", ADDED);
                  return body.placed(
                      bus.request(
                          Schedules.PUT,
                          new Schedules.PutSchedule(
                              Callers.actor(context), name, Json.write(body.json()), dryRun)));
                }))
        .map(done ->
            DocumentReply.of(
                context.request().path(),
                shape(done.schedule()),
                done.outcome(),
                done.notices(),
                dryRun));
  }

  private Future<Reply> delete(RoutingContext context) {
    return allowed(context, Need.CHANGE)
        .compose(
            name -> bus.request(Schedules.DELETE, new ChangeSchedule(Callers.actor(context), name)))
        .map(Reply.empty(204));
  }

  private Future<Reply> command(RoutingContext context, Address<ChangeSchedule, Schedule> address) {
    boolean dryRun = DryRun.isAsked(context);
    return bodies
        .text(context, MAX_BYTES)
        .compose(ignored -> allowed(context, Need.OPERATE))
        .compose(name ->
            dryRun
                ? bus.request(Schedules.GET, new Schedules.OfSchedule(name))
                : bus.request(address, new ChangeSchedule(Callers.actor(context), name)))
        .map(schedule -> Reply.ok(shape(schedule)));
  }

  // ---- instants ------------------------------------------------------------------------------

  private Future<Reply> preview(RoutingContext context) {
    Query query = Query.of(context);
    Instant from = query.instant("from");
    Instant to = query.instant("to");
    int limit = (int) query.integer("limit", USUAL_PREVIEW, 1, Schedules.MOST_INSTANTS);
    return allowed(context, Need.READ)
        .compose(name ->
            bus.request(
                Schedules.PREVIEW,
                new Schedules.AskInstants(
                    name,
                    from == null ? clock.now() : from,
                    to == null ? Query.LATEST : to,
                    limit)))
        .map(instants -> Reply.ok(shape(instants)));
  }

  private Future<Reply> backfill(RoutingContext context) {
    boolean asked = DryRun.isAsked(context);
    return bodies
        .text(context, MAX_BYTES)
        .compose(text ->
            allowed(context, Need.CHANGE)
                .compose(name -> backfill(Callers.actor(context), name, text, asked)));
  }

  /**
   * @param asked whether the query asks for a check only; the body may do so too
   */
  private Future<Reply> backfill(Actor by, PipelineName pipeline, String text, boolean asked) {
    Fields fields =
        Fields.of(
            text,
            List.of("from", "to", DryRun.PARAMETER),
            "{\"from\": \"2026-11-01T00:00:00Z\", \"to\": \"2026-11-08T00:00:00Z\"}");
    Instant from = bounded("from", fields);
    Instant to = bounded("to", fields);
    boolean dryRun = Boolean.TRUE.equals(fields.flag("dryRun")) || asked;
    fields.check();
    return bus.request(
            Schedules.BACKFILL,
            new Schedules.Backfill(
                by, pipeline, Objects.requireNonNull(from), Objects.requireNonNull(to), dryRun))
        .map(instants -> Reply.ok(shape(instants).put("dryRun", dryRun)));
  }

  private static Instant bounded(String key, Fields fields) {
    Instant at = fields.instant(key);
    if (at == null && !fields.has(key)) {
      fields.wrong(key, key + " is an instant such as 2026-11-01T00:00:00Z");
    } else if (at != null && !inRange(at)) {
      fields.wrong(key, key + " is between the years 1970 and 9999");
    }
    return at == null ? Instant.EPOCH : at;
  }

  private static boolean inRange(Instant at) {
    return !at.isBefore(Instant.EPOCH) && !at.isAfter(Query.LATEST);
  }

  private static ObjectNode shape(Instants instants) {
    ObjectNode shape = Json.MAPPER.createObjectNode();
    ArrayNode items = shape.putArray("items");
    instants.items().forEach(at -> items.add(Wire.time(at)));
    return shape.put("more", instants.more());
  }

  // ---- the schedule --------------------------------------------------------------------------

  private Future<PipelineName> allowed(RoutingContext context, Need need) {
    return PipelineApi.allowed(bus, context, need).map(Pipelines.Pipeline::name);
  }

  private static ObjectNode shape(Schedule schedule) {
    ObjectNode shape = Json.MAPPER.createObjectNode().put("pipeline", schedule.pipeline().value());
    ArrayNode cron = shape.putArray("cron");
    schedule.cron().forEach(cron::add);
    List<Instant> upcoming = schedule.upcoming();
    shape
        .put("timeZone", schedule.timeZone())
        .put("from", Wire.time(schedule.from()))
        .put("dependsOnPast", schedule.dependsOnPast())
        .put("maxActiveRuns", schedule.maxActiveRuns())
        .put("keep", schedule.keep())
        .put("missed", schedule.missed().name().toLowerCase(Locale.ROOT))
        .put("paused", schedule.paused())
        .put("next", upcoming.isEmpty() ? null : Wire.time(upcoming.getFirst()));
    ArrayNode next = shape.putArray("upcoming");
    upcoming.forEach(at -> next.add(Wire.time(at)));
    ArrayNode alerts = shape.putArray("alerts");
    schedule.alerts().forEach(alert -> alerts.add(RunShape.of(alert)));
    return shape;
  }
}
