package io.orrery.gateway.status;

import io.orrery.core.check.CheckResult;
import io.orrery.core.check.DiskRoom;
import io.orrery.core.time.Clock;
import io.orrery.gateway.health.Readiness;
import io.orrery.gateway.status.Latest.Told;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;

/** The checks of a server that are about itself alone: no other one can make them. */
final class OwnChecks {
  private final ServerFacts facts;
  private final List<Latest<List<CheckResult>>> all;
  private final Latest<Reading<Map<String, DiskRoom>>> disks;

  /**
   * The outcomes.
   *
   * @param disks by the names of their checks
   */
  record Outcomes(List<TimedResult> results, Map<String, DiskRoom> disks) {}

  OwnChecks(ServerFacts facts) {
    this.facts = facts;
    Clock clock = facts.clock();
    disks = Reading.kept(clock, "disk", Check.LATER, "check the file system", this::look, Map.of());
    List<Check> checks = new ArrayList<>(new StoreChecks(facts.store(), clock).all());
    checks.addAll(checks());
    facts
        .clusters()
        .forEach((name, look) ->
            checks.add(
                new Check(
                    "cluster " + name,
                    Check.LATER,
                    "check the cluster and the network to it",
                    () -> PlatformChecks.cluster(facts, look))));
    all = checks.stream().map(check -> check.kept(clock)).toList();
  }

  private List<Check> checks() {
    Path home = Objects.requireNonNull(facts.directories().get("disk"), "disk");
    return List.of(
        Check.one(
            "readiness",
            Check.SOON,
            "read the log",
            () -> facts.readiness().now().map(OwnChecks::ready)),
        new Check("sync", Check.LATER, "run as its owner", () -> PlatformChecks.sync(facts, home)),
        new Check("certificate", Check.LATER, "renew it", () -> PlatformChecks.certificates(facts)),
        Check.one(
            "sandbox", Check.LATER, "", () -> Future.succeededFuture(facts.sandbox().check())));
  }

  private static CheckResult ready(Readiness.State state) {
    String reason = state.reason();
    return reason == null
        ? CheckResult.ok("readiness", state.word())
        : CheckResult.failed("readiness", reason, "make what it names work again");
  }

  /**
   * Completes with the outcomes, and never fails.
   *
   * @param patience how long a check is waited for
   */
  Future<Outcomes> now(Duration patience) {
    Future<Told<Reading<Map<String, DiskRoom>>>> room = disks.now(patience);
    List<Future<Told<List<CheckResult>>>> asked =
        all.stream().map(each -> each.now(patience)).toList();
    List<Future<?>> waited = new ArrayList<>(asked);
    waited.add(room);
    return Future.all(waited)
        .map(done -> {
          List<TimedResult> results = new ArrayList<>();
          asked.forEach(each -> results.addAll(TimedResult.of(each.result(), Function.identity())));
          results.addAll(TimedResult.of(room.result(), read -> read.checked(this::rooms)));
          return new Outcomes(results, room.result().value().value());
        });
  }

  /** Directories of one file system are told once each, and checked once. */
  private Future<Map<String, DiskRoom>> look() {
    return facts
        .vertx()
        .executeBlocking(
            () -> {
              Map<String, DiskRoom> found = new TreeMap<>();
              for (Map.Entry<String, Path> each : facts.directories().entrySet()) {
                try {
                  found.put(each.getKey(), DiskRoom.of(each.getValue()));
                } catch (IOException gone) {
                  // It is told as a check that found nothing out, without figures.
                }
              }
              return found;
            },
            false);
  }

  private List<CheckResult> rooms(Map<String, DiskRoom> found) {
    List<CheckResult> results = new ArrayList<>();
    facts
        .directories()
        .forEach((name, directory) -> {
          DiskRoom room = found.get(name);
          results.add(
              room == null
                  ? CheckResult.unknown(
                      name, directory + " cannot be read", "check the file system")
                  : room.check(name));
        });
    return results;
  }
}
