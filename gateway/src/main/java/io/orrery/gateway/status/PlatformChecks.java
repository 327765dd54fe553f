package io.orrery.gateway.status;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Registries;
import io.orrery.core.bus.contract.Retentions;
import io.orrery.core.check.CertificateEnd;
import io.orrery.core.check.CheckResult;
import io.orrery.core.check.DiskSync;
import io.orrery.core.problem.Problem;
import io.orrery.core.tls.TlsMaterial;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The checks of what a server uses besides its database. */
final class PlatformChecks {
  /** Accounts that are tried; a server with more is asked registry by registry. */
  private static final int MOST_REGISTRIES = 20;

  private static final Duration MISSED = Duration.ofDays(2);

  private PlatformChecks() {}

  /** The time of a sync on the disk of the home. */
  static Future<List<CheckResult>> sync(ServerFacts facts, Path home) {
    Path probe = home.resolve(".status-" + ProcessHandle.current().pid());
    return facts
        .vertx()
        .executeBlocking(
            () -> List.of(DiskSync.measure(probe, facts.clock()::now).check("sync")), false);
  }

  /** Whether each configured cluster can be reached. */
  static Future<List<CheckResult>> cluster(ServerFacts facts, Supplier<CheckResult> look) {
    return facts.vertx().executeBlocking(() -> List.of(look.get()), false);
  }

  /** When certificates end. */
  static Future<List<CheckResult>> certificates(ServerFacts facts) {
    Instant now = facts.clock().now();
    List<CheckResult> results = new ArrayList<>();
    for (Map.Entry<String, TlsMaterial> each : facts.certificates().entrySet()) {
      Instant end = each.getValue().end();
      if (end != null) {
        String file = String.valueOf(each.getValue().files().certificate());
        results.add(
            CertificateEnd.check(each.getKey(), "valid until " + end, Instant.MIN, end, now, file));
      }
    }
    return Future.succeededFuture(results);
  }

  /** Whether registries take the accounts that projects have there; asks each of them. */
  static Future<List<CheckResult>> registries(Bus bus) {
    return bus.request(Registries.LIST, new Registries.ListRegistries(null, null, null))
        .compose(all -> {
          List<Future<CheckResult>> asked =
              all.items().stream()
                  .limit(MOST_REGISTRIES)
                  .map(account -> registry(bus, account))
                  .toList();
          return Future.join(asked).map(done -> asked.stream().map(Future::result).toList());
        });
  }

  private static Future<CheckResult> registry(Bus bus, Registries.RegistryAccount account) {
    String name = "registry " + account.name();
    return bus.request(
            Registries.CHECK, new Registries.CheckRegistry(account.project(), account.name()))
        .map(checked ->
            checked.ok()
                ? CheckResult.ok(name, checked.reason())
                : CheckResult.failed(
                    name, checked.reason(), "`orrery registry add` takes another password"))
        .otherwise(failure ->
            CheckResult.unknown(
                name, Problem.of(failure).detail(), "`orrery registry check` asks it again"));
  }

  /** Whether the removal of old objects works. */
  static List<CheckResult> retention(List<Retentions.Rule> rules, Instant now) {
    List<CheckResult> results = new ArrayList<>();
    for (Retentions.Rule rule : rules) {
      String name = "retention of " + rule.kind().word();
      Retentions.Pass last = rule.last();
      if (last != null && last.failure() != null) {
        results.add(
            CheckResult.warning(
                name,
                "the last pass failed: " + last.failure(),
                "`orrery retention run` tries again"));
      } else if (rule.keepDays() != null
          && last != null
          && Duration.between(last.at(), now).compareTo(MISSED) > 0) {
        results.add(
            CheckResult.warning(
                name,
                "the last pass was at " + last.at(),
                "it should run each night: look whether a server with the role orchestrator runs"));
      }
    }
    if (results.isEmpty()) {
      results.add(CheckResult.ok("retention", "no pass over old objects has failed"));
    }
    return results;
  }
}
