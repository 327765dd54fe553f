package io.orrery.gateway.audit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Audits;
import io.orrery.core.bus.contract.Audits.Entry;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.Pages;
import io.orrery.gateway.http.Query;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RouteNeed;
import io.orrery.gateway.http.Wire;
import io.orrery.gateway.project.ProjectAccess;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Instant;
import java.time.format.DateTimeParseException;

/** The API of the audit log, {@code /api/v1/audit}: newest first, for administrators. */
public final class AuditApi implements Api {
  private final Bus bus;

  public AuditApi(Bus bus) {
    this.bus = bus;
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
  }

  private Future<Reply> list(RoutingContext context) {
    Query query = Query.of(context);
    return bus.request(
            Audits.LIST,
            new Audits.ListEntries(
                query.text("user"),
                query.text("kind"),
                query.text("name"),
                query.read("project", ProjectAccess::named),
                query.read("from", AuditApi::instant),
                query.read("to", AuditApi::instant),
                query.text("cursor"),
                Pages.limit(query)))
        .map(page -> Reply.ok(Pages.of(page.items(), AuditApi::shape, page.next())));
  }

  private static Instant instant(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException e) {
      throw new Problem.Refused(new Finding("", "an instant is written 2026-01-31T12:00:00Z"))
          .toException();
    }
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
