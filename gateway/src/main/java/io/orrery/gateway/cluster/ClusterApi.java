package io.orrery.gateway.cluster;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.ServerRole;
import io.orrery.core.json.Json;
import io.orrery.core.lease.Leases;
import io.orrery.core.lease.Member;
import io.orrery.core.problem.Problem;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RouteNeed;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The API of the cluster, {@code /api/v1/cluster}: the servers that share work, and the leases of
 * each.
 */
public final class ClusterApi implements Api {
  private final Future<Leases> leases;

  /**
   * @param leases there once the server has its store
   */
  public ClusterApi(Future<Leases> leases) {
    this.leases = leases;
  }

  @Override
  public void mount(ApiRouter router) {
    router.get("/api/v1/cluster", RouteNeed.SERVER, context -> show());
  }

  private Future<Reply> show() {
    if (!leases.succeeded()) {
      return Future.failedFuture(
          new Problem.Busy("the server is starting", Duration.ofSeconds(1)).toException());
    }
    Leases now = leases.result();
    Future<List<Member>> members = now.members();
    Future<List<Leases.Holder>> held = now.held();
    return Future.all(members, held)
        .map(all -> Reply.status(200, shape(now.shared(), members.result(), held.result())));
  }

  private static ObjectNode shape(
      boolean shared, List<Member> members, List<Leases.Holder> holders) {
    ObjectNode body = Json.MAPPER.createObjectNode().put("shared", shared);
    ArrayNode servers = body.putArray("members");
    Set<ServerRole> missing = shared ? ServerRole.all() : EnumSet.noneOf(ServerRole.class);
    for (Member member : members) {
      ArrayNode roles =
          servers
              .addObject()
              .put("id", member.id())
              .put("url", member.url())
              .put("host", member.host())
              .putArray("roles");
      member.roles().stream().sorted().forEach(role -> roles.add(role.word()));
      missing.removeAll(member.roles());
    }
    ArrayNode absent = body.putArray("missingRoles");
    missing.forEach(role -> absent.add(role.word()));
    ArrayNode leases = body.putArray("leases");
    holders.forEach(holder ->
        leases
            .addObject()
            .put("name", holder.name())
            .put("epoch", holder.epoch())
            .put("member", holder.member().id())
            .put("url", holder.member().url()));
    return body;
  }
}
