package io.orrery.gateway.launch;

import io.orrery.cli.Orrery;
import io.orrery.core.bus.ServerRole;
import io.orrery.core.lease.Leases;
import io.orrery.core.lease.Membership;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.sql.Store;
import io.orrery.core.sql.StoreRelease;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Set;

/** Opens a database that others may use, before and beside this server, and joins these. */
final class SharedStore {
  private SharedStore() {}

  /** The store once it is known that this program works with it; closes it where it does not. */
  static Store opened(Store store) {
    try {
      Ground.finish(StoreRelease.CURRENT.open(store), "the database's release");
      return store;
    } catch (ProblemException refused) {
      Ground.finish(store.close().otherwiseEmpty(), "the end of the database");
      throw refused;
    }
  }

  /** The address of the API of this server: the one that it advertises, or its own. */
  static String edgeUrl(ServerConfig config, String bound) {
    String advertised = config.advertiseUrl();
    return advertised != null && config.roles().contains(ServerRole.GATEWAY) ? advertised : bound;
  }

  /**
   * Joins the servers that share the database.
   *
   * @param bound where the edge of this server listens
   * @param life of a membership without a heartbeat
   */
  static Membership join(Ground ground, Store store, String bound, Duration life) {
    return Ground.finish(
        Membership.join(
            ground.vertx(),
            store,
            ground.clock(),
            ground::freshName,
            edgeUrl(ground.config(), bound),
            HomeDirectory.machine(),
            ground.config().roles(),
            Orrery.version(),
            life),
        "the database's list of servers");
  }

  /** The number of router processes among the servers. */
  static Future<Integer> routers(Leases leases, Set<ServerRole> own) {
    return leases.shared()
        ? leases
            .members()
            .map(members ->
                (int)
                    members.stream()
                        .filter(member -> member.roles().contains(ServerRole.ROUTER))
                        .count())
        : Future.succeededFuture(own.contains(ServerRole.ROUTER) ? 1 : 0);
  }
}
