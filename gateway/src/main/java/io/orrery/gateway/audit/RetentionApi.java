package io.orrery.gateway.audit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Retentions;
import io.orrery.core.bus.contract.Retentions.Kind;
import io.orrery.core.bus.contract.Retentions.OldObject;
import io.orrery.core.bus.contract.Retentions.Pass;
import io.orrery.core.bus.contract.Retentions.Rule;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Problem;
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
import io.orrery.gateway.http.Wire;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.Arrays;
import java.util.List;

/** The API of how long old objects are kept, {@code /api/v1/retention}, for administrators. */
public final class RetentionApi implements Api {
  private static final String ALL = ApiRouter.V1 + "/retention";
  private static final int MAX_BYTES = 10_000;
  private static final String DAYS = "keepDays";

  private final Bus bus;
  private final RequestBody bodies;

  public RetentionApi(Bus bus, RequestBody bodies) {
    this.bus = bus;
    this.bodies = bodies;
  }

  @Override
  public void mount(ApiRouter router) {
    router.get(ALL, RouteNeed.ADMIN, this::list);
    router.get(ALL + "/preview", RouteNeed.ADMIN, this::preview, "kind", DAYS);
    router.put(ALL + "/:kind", RouteNeed.ADMIN, this::put, DryRun.PARAMETER);
    router.post(ALL + "/run", RouteNeed.ADMIN, this::run, DryRun.PARAMETER);
  }

  private Future<Reply> list(RoutingContext context) {
    return bus.request(Retentions.LIST, new Retentions.AskRules())
        .map(rules -> Reply.ok(Pages.of(rules.items(), RetentionApi::shape, null)));
  }

  private Future<Reply> put(RoutingContext context) {
    Kind kind = kind(context.pathParam("kind"));
    var address = DryRun.isAsked(context) ? Retentions.CHECK_PUT : Retentions.PUT;
    return bodies
        .text(context, MAX_BYTES)
        .compose(text -> {
          Fields fields = Fields.of(text, List.of(DAYS), "{\"keepDays\": 30}");
          Integer days = fields.integer(DAYS, 1, Retentions.MOST_DAYS);
          fields.check();
          return bus.request(address, new Retentions.PutRule(Callers.actor(context), kind, days));
        })
        .map(rule -> Reply.ok(shape(rule)));
  }

  private static Kind kind(String word) {
    return Arrays.stream(Kind.values())
        .filter(kind -> kind.word().equals(word))
        .findFirst()
        .orElseThrow(() ->
            new Problem.NotFound(
                    "There is no rule of '%s', but of %s."
                        .formatted(word, String.join(", ", words())))
                .toException());
  }

  private static List<String> words() {
    return Arrays.stream(Kind.values()).map(Kind::word).toList();
  }

  private Future<Reply> preview(RoutingContext context) {
    Query query = Query.of(context);
    String word = query.oneOf("kind", words());
    Integer days =
        query.text(DAYS) == null
            ? null
            : Math.toIntExact(query.integer(DAYS, 1, 1, Retentions.MOST_DAYS));
    return bus.request(
            Retentions.PREVIEW, new Retentions.AskPreview(word == null ? null : kind(word), days))
        .map(preview ->
            Reply.ok(
                Pages.of(preview.items(), RetentionApi::shape, null).put("more", preview.more())));
  }

  private Future<Reply> run(RoutingContext context) {
    boolean dryRun = DryRun.isAsked(context);
    return bodies
        .text(context, MAX_BYTES)
        .compose(ignored ->
            bus.request(
                dryRun ? Retentions.CHECK_RUN : Retentions.RUN,
                new Retentions.RunNow(Callers.actor(context), List.of(Kind.values()))))
        .map(rules ->
            Reply.status(dryRun ? 200 : 202, Pages.of(rules.items(), RetentionApi::shape, null)));
  }

  /** A rule as the API has it. */
  public static ObjectNode shape(Rule rule) {
    ObjectNode shape =
        Json.MAPPER
            .createObjectNode()
            .put("kind", rule.kind().word())
            .put("title", rule.kind().title())
            .put("note", rule.kind().note())
            .put("leastDays", rule.kind().leastDays())
            .put(DAYS, rule.keepDays())
            .put("changedBy", rule.changedBy())
            .put("changedAt", rule.changedAt() == null ? null : Wire.time(rule.changedAt()));
    Pass last = rule.last();
    if (last == null) {
      return shape.putNull("last");
    }
    shape
        .putObject("last")
        .put("at", Wire.time(last.at()))
        .put("removed", last.removed())
        .put("kept", last.kept())
        .put("failure", last.failure());
    return shape;
  }

  private static ObjectNode shape(OldObject object) {
    return Json.MAPPER
        .createObjectNode()
        .put("kind", object.kind().word())
        .put("name", object.name())
        .put("project", object.project() == null ? null : object.project().value())
        .put("count", object.count())
        .put("since", Wire.time(object.since()))
        .put("usedBy", object.usedBy());
  }
}
