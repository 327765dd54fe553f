package io.orrery.gateway.status;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.contract.Retentions;
import io.orrery.core.check.DiskRoom;
import io.orrery.core.json.Json;
import io.orrery.core.lease.Member;
import io.orrery.core.time.Clock;
import io.orrery.gateway.audit.RetentionApi;
import io.orrery.gateway.auth.Callers;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.Listeners;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RouteNeed;
import io.orrery.gateway.http.Wire;
import io.orrery.gateway.status.StatusBoard.Status;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The API of the status, {@code GET /api/v1/status}: everything for administrators and service
 * accounts, one word for others.
 */
public final class StatusApi implements Api {
  private final StatusBoard board;
  private final Clock clock;

  public StatusApi(StatusBoard board, Clock clock) {
    this.board = board;
    this.clock = clock;
  }

  @Override
  public void mount(ApiRouter router) {
    router.get(ApiRouter.V1 + "/status", RouteNeed.CALLER, this::show);
  }

  @Override
  public void listening(Listeners listeners) {
    board.attach(Vertx.currentContext());
  }

  private Future<Reply> show(RoutingContext context) {
    boolean all = Callers.of(context).seesEverything();
    return board.now().map(status -> Reply.ok(shape(status, all)));
  }

  private ObjectNode shape(@Nullable Status status, boolean all) {
    ObjectNode body =
        Json.MAPPER
            .createObjectNode()
            .put("status", status == null ? "starting" : status.state().word())
            .put("at", Wire.time(clock.now()));
    if (status == null || !all) {
      return body;
    }
    body.put("version", status.facts().version());
    body.putObject("sandbox")
        .put("mode", status.facts().sandbox().word())
        .put("accounts", status.facts().sandbox().users());
    ArrayNode checks = body.putArray("checks");
    status.results().forEach(each -> put(checks.addObject(), each));
    ArrayNode servers = body.putArray("servers");
    status.members().forEach(each -> put(servers.addObject(), each, status));
    ArrayNode storage = body.putArray("storage");
    status.disks().forEach((name, room) -> put(storage.addObject(), name, room));
    ArrayNode retention = body.putArray("retention");
    for (Retentions.Rule rule : status.retention()) {
      retention.add(RetentionApi.shape(rule));
    }
    return body;
  }

  private static void put(ObjectNode shape, TimedResult timed) {
    String advice = timed.result().advice();
    Member server = timed.server();
    shape
        .put("name", timed.result().check())
        .put("state", timed.result().state().word())
        .put("found", timed.result().found())
        .put("hint", advice.isEmpty() ? null : advice)
        .put("checkedAt", Wire.time(timed.at()));
    if (server == null) {
      shape.putNull("server");
    } else {
      shape
          .putObject("server")
          .put("id", server.id())
          .put("url", server.url())
          .put("host", server.host());
    }
  }

  private static void put(ObjectNode shape, Member member, Status status) {
    Duration ahead = member.ahead();
    ArrayNode roles =
        shape
            .put("id", member.id().isEmpty() ? null : member.id())
            .put("url", member.url())
            .put("host", member.host())
            .put("version", member.version().isEmpty() ? null : member.version())
            .put("isThis", member.id().equals(status.own()))
            .put("heardAt", Wire.time(status.heard().get(member.id())))
            .<ObjectNode>set("clockAhead", Wire.seconds(ahead))
            .putArray("roles");
    StatusBoard.roles(member).forEach(roles::add);
  }

  private static void put(ObjectNode shape, String name, DiskRoom room) {
    shape
        .put("name", name)
        .put("path", room.directory().toString())
        .put("fileSystem", room.fileSystem())
        .put("freeBytes", room.freeBytes())
        .put("totalBytes", room.totalBytes());
  }
}
