package io.orrery.gateway.route;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Routes;
import io.orrery.core.json.Json;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.DryRun;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RequestBody;
import io.orrery.gateway.http.RouteNeed;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import org.jspecify.annotations.Nullable;

/** The API of routes, {@code /routes}: the table of the serving router. */
final class RouteApi implements Api {
  private static final int MOST_BYTES = 64 << 20;

  private final Bus bus;
  private final RequestBody bodies;

  public RouteApi(Bus bus, RequestBody bodies) {
    this.bus = bus;
    this.bodies = bodies;
  }

  @Override
  public void mount(ApiRouter router) {
    router.get(
        ApiRouter.V1 + "/routes",
        RouteNeed.SERVER,
        context -> bus.request(Routes.SHOW, new Routes.Show()).map(table -> reply(context, table)));
    router.put(ApiRouter.V1 + "/routes", RouteNeed.SERVER, this::replace, DryRun.PARAMETER);
  }

  private Future<Reply> replace(RoutingContext context) {
    var address = DryRun.isAsked(context) ? Routes.CHECK_REPLACE : Routes.REPLACE;
    return bodies
        .text(context, MOST_BYTES)
        .compose(text -> bus.request(address, new Routes.Replace(text, revision(context))))
        .map(table -> reply(context, table));
  }

  /** What RFC 9110 calls a precondition: the table that the client has seen, null for any. */
  private static @Nullable String revision(RoutingContext context) {
    String header = context.request().getHeader(HttpHeaders.IF_MATCH);
    return header == null || header.strip().equals("*") ? null : header.strip().replace("\"", "");
  }

  private static Reply reply(RoutingContext context, Routes.Table table) {
    String tag = "\"" + table.revision() + "\"";
    context.response().putHeader(HttpHeaders.ETAG, tag);
    if (context.request().method().equals(HttpMethod.GET)
        && tag.equals(context.request().getHeader(HttpHeaders.IF_NONE_MATCH))) {
      return Reply.empty(304);
    }
    ObjectNode json = Json.MAPPER.createObjectNode();
    json.putArray("services").addAll(table.services());
    json.putArray("departed").addAll(table.departed());
    return Reply.ok(json);
  }
}
