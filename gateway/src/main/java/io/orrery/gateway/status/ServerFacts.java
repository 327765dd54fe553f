package io.orrery.gateway.status;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.ServerRole;
import io.orrery.core.check.CheckResult;
import io.orrery.core.lease.Leases;
import io.orrery.core.sql.Migrations;
import io.orrery.core.sql.Store;
import io.orrery.core.time.Clock;
import io.orrery.core.tls.TlsMaterial;
import io.orrery.gateway.health.Readiness;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The parts of a running server that its checks look at.
 *
 * @param migrations all that this program knows
 * @param readiness what {@code /health/ready} says
 * @param version of the program
 * @param url where the API of this server is reached, as the list of members has it
 * @param directories by the names of their checks; each is there
 * @param certificates by the names of their checks
 * @param sandbox how programs of people are kept apart
 * @param clusters looks at each configured cluster, by name; they block, for seconds at most
 */
public record ServerFacts(
    Vertx vertx,
    Bus bus,
    Clock clock,
    Store store,
    List<Migrations> migrations,
    Leases leases,
    Readiness readiness,
    String version,
    String url,
    Set<ServerRole> roles,
    Map<String, Path> directories,
    Map<String, TlsMaterial> certificates,
    SandboxMode sandbox,
    Map<String, Supplier<CheckResult>> clusters) {
  public ServerFacts {
    migrations = List.copyOf(migrations);
    roles = Set.copyOf(roles);
    directories = new TreeMap<>(directories);
    certificates = new TreeMap<>(certificates);
    clusters = new TreeMap<>(clusters);
  }

  /**
   * A way in which programs of people are kept apart.
   *
   * @param on whether bubblewrap does it
   * @param users whether people have accounts, so that it matters
   */
  public record SandboxMode(boolean on, boolean users) {
    /** The name of the check. */
    public static final String CHECK = "sandbox";

    /** The outcome. */
    public CheckResult check() {
      if (on) {
        return CheckResult.ok(CHECK, "programs of people run in sandboxes made by bubblewrap");
      }
      return users
          ? CheckResult.warning(
              CHECK,
              "none: programs of people run as the user of the server, and may read what it reads",
              "install bubblewrap and set auth.sandbox: bwrap, unless each person with an account"
                  + " is trusted")
          : CheckResult.ok(
              CHECK, "none: there are no accounts, so programs are those of one person");
    }

    /** As {@code auth.sandbox} has it. */
    public String word() {
      return on ? "bwrap" : "none";
    }
  }
}
