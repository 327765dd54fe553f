package io.orrery.gateway.audit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.access.ProjectName;
import io.orrery.core.async.AsyncLoop;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Audits;
import io.orrery.core.bus.contract.Audits.Entry;
import io.orrery.core.json.Json;
import io.orrery.core.time.Clock;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.Outflow;
import io.orrery.gateway.http.Pages;
import io.orrery.gateway.http.Query;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RouteNeed;
import io.orrery.gateway.http.Wire;
import io.orrery.gateway.project.ProjectAccess;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The API of the audit log, {@code /api/v1/audit}: newest first, for administrators; {@code
 * …/export} sends all of it, an object a line.
 */
final class AuditApi implements Api {
  private static final int PAGE = 500;

  private final Bus bus;
  private final Clock clock;
  private final Duration patience;

  /**
   * @param patience how long a client may read nothing
   */
  public AuditApi(Bus bus, Clock clock, Duration patience) {
    this.bus = bus;
    this.clock = clock;
    this.patience = patience;
  }

  @Override
  public void mount(ApiRouter router) {
    router.get(
        ApiRouter.V1 + "/audit",
        RouteNeed.ADMIN,
        this::list,
        "user",
        "kind",
        "name",
        "project",
        "from",
        "to",
        "cursor",
        "limit");
    router.stream(
        ApiRouter.V1 + "/audit/export",
        RouteNeed.ADMIN,
        this::export,
        "user",
        "kind",
        "name",
        "project",
        "from",
        "to");
  }

  private Future<Reply> list(RoutingContext context) {
    Query query = Query.of(context);
    return bus.request(Audits.LIST, wanted(query, query.text("cursor"), Pages.limit(query)))
        .map(page -> Reply.ok(Pages.of(page.items(), AuditApi::shape, page.next())));
  }

  private static Audits.ListEntries wanted(Query query, @Nullable String cursor, int limit) {
    // Documents write `kind: Project`.
    String kind = query.text("kind");
    return new Audits.ListEntries(
        query.text("user"),
        kind == null ? null : kind.toLowerCase(Locale.ROOT),
        query.text("name"),
        query.read("project", ProjectAccess::named),
        query.instant("from"),
        query.instant("to"),
        cursor,
        limit);
  }

  private void export(RoutingContext context) {
    Query query = Query.of(context);
    // Read once before the head is sent: what is wrong in the query is told as a problem.
    Audits.ListEntries first = wanted(query, null, PAGE);
    context.response().putHeader(HttpHeaders.CONTENT_TYPE, "application/x-ndjson");
    Outflow out = new Outflow(context.response(), clock, patience, () -> {});
    AsyncLoop.pages(cursor ->
            bus.request(Audits.LIST, cursor == null ? first : wanted(query, cursor, PAGE))
                .compose(page -> {
                  Buffer lines = Buffer.buffer();
                  page.items()
                      .forEach(entry -> lines.appendString(Json.write(shape(entry)) + "\n"));
                  return out.write(lines).map(written -> page.next());
                }))
        .onSuccess(all -> out.end())
        .onFailure(context::fail);
  }

  private static ObjectNode shape(Entry entry) {
    ProjectName project = entry.project();
    return Json.MAPPER
        .createObjectNode()
        .put("at", Wire.time(entry.at()))
        .put("user", entry.user())
        .put("from", entry.from())
        .put("action", entry.action())
        .put("kind", entry.kind())
        .put("name", entry.name())
        .put("project", project == null ? null : project.value())
        .put("result", entry.result())
        .put("detail", entry.detail());
  }
}
