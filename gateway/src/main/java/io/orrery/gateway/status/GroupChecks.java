package io.orrery.gateway.status;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.ServerRole;
import io.orrery.core.bus.contract.RouteLayers;
import io.orrery.core.bus.contract.Routes;
import io.orrery.core.check.CheckResult;
import io.orrery.core.check.ClockSkew;
import io.orrery.core.lease.Member;
import io.orrery.core.route.RouteLayer;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The checks of the servers that share the work: roles, versions, clocks, routers. */
final class GroupChecks {
  private static final String NAME = "servers";

  private GroupChecks() {}

  /** The outcome for the servers of a database; one that works alone has no members. */
  static List<CheckResult> members(boolean shared, List<Member> members) {
    if (!shared) {
      return List.of(CheckResult.ok(NAME, "this server works alone"));
    }
    List<CheckResult> results = new ArrayList<>();
    Set<ServerRole> missing = EnumSet.copyOf(ServerRole.all());
    members.forEach(member -> missing.removeAll(member.roles()));
    String count = members.size() == 1 ? "1 server shares" : members.size() + " servers share";
    results.add(
        missing.isEmpty()
            ? CheckResult.ok(NAME, count + " the database")
            : CheckResult.failed(
                NAME,
                count + " the database, none with the role " + ServerRole.words(missing),
                "start one with --roles " + ServerRole.words(missing)));
    results.add(versions(members));
    results.addAll(clocks(members));
    return results;
  }

  private static CheckResult versions(List<Member> members) {
    Set<String> versions =
        members.stream()
            .map(member -> member.version().isEmpty() ? "an older one" : member.version())
            .collect(Collectors.toCollection(TreeSet::new));
    String found = String.join(", ", versions);
    return versions.size() > 1
        ? CheckResult.warning(
            "versions",
            "servers of different versions run: " + found,
            "finish the upgrade: versions are mixed only while it lasts")
        : CheckResult.ok("versions", found);
  }

  /** The clocks that servers have told of and that are not good; a good one needs no word. */
  private static List<CheckResult> clocks(List<Member> members) {
    List<CheckResult> results = new ArrayList<>();
    for (Member member : members) {
      Duration ahead = member.ahead();
      if (ahead != null && ClockSkew.isTooFar(ahead)) {
        results.add(
            ClockSkew.check("clock of " + member.url(), ahead, "the database's, when it told", ""));
      }
    }
    return results;
  }

  /** Whether all routers answer, and follow the newest routes. */
  static Future<List<CheckResult>> routers(Bus bus) {
    return bus.request(Routes.TRAFFIC, new Routes.AskTraffic(List.of(), List.of(), false))
        .compose(traffic ->
            traffic.studio() == Long.MAX_VALUE
                ? Future.succeededFuture(List.of(routers(traffic, 0)))
                : newest(bus, traffic.studio())
                    .map(revision -> List.of(routers(traffic, revision))));
  }

  /** The revision of the routes that are stored. */
  private static Future<Long> newest(Bus bus, long known) {
    return bus.request(RouteLayers.GET, new RouteLayers.Get(RouteLayer.STUDIO, known))
        .map(RouteLayers.Layer::revision);
  }

  private static CheckResult routers(Routes.Traffic traffic, long revision) {
    String name = "routers";
    if (traffic.routers() == 0) {
      return CheckResult.ok(name, "none: no server runs one; `orrery route` may follow this one");
    }
    String found = "%d of %d routers answer".formatted(traffic.answered(), traffic.routers());
    if (traffic.answered() < traffic.routers()) {
      return CheckResult.warning(name, found, "read the log of the router");
    }
    if (traffic.studio() < revision) {
      return CheckResult.warning(
          name,
          found
              + "; one still has the routes of revision "
              + traffic.studio()
              + ", not "
              + revision,
          "it follows within a second; when it does not, read its log");
    }
    return CheckResult.ok(name, found + " and have the newest routes");
  }
}
