package io.orrery.gateway.status;

import io.orrery.core.bus.ServerRole;
import io.orrery.core.bus.contract.Retentions;
import io.orrery.core.check.CheckResult;
import io.orrery.core.check.CheckResult.State;
import io.orrery.core.check.DiskRoom;
import io.orrery.core.lease.Member;
import io.orrery.core.problem.Problem;
import io.orrery.gateway.health.Readiness;
import io.orrery.gateway.status.Latest.Told;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The checks of a server, from its start on. {@link #started} may be called on any thread, {@link
 * #now} on one event loop only.
 */
public final class StatusBoard {
  private static final Duration SOON = Duration.ofSeconds(5);
  private static final Duration LATER = Duration.ofSeconds(30);

  /** Registries count logins, and limit them. */
  private static final Duration SELDOM = Duration.ofMinutes(15);

  private volatile @Nullable ServerFacts facts;
  private @Nullable Checks checks;

  /** A result with the time at which it was found; null while nothing was. */
  record TimedResult(CheckResult result, @Nullable Instant at) {}

  /**
   * A summary of what is known of a server.
   *
   * @param results the worst first
   * @param members the servers of the database, this one alone where nothing is shared
   * @param disks by the names of their checks
   */
  record Status(
      ServerFacts facts,
      State state,
      List<TimedResult> results,
      List<Member> members,
      Map<String, DiskRoom> disks,
      List<Retentions.Rule> retention) {}

  /** From now on there is something to look at. */
  public void started(ServerFacts parts) {
    facts = parts;
  }

  /** What is known now; null while the server starts. Completes within seconds and never fails. */
  Future<@Nullable Status> now() {
    ServerFacts parts = facts;
    if (parts == null) {
      return Future.succeededFuture(null);
    }
    Checks present = checks;
    if (present == null) {
      present = new Checks(parts);
      checks = present;
    }
    return present.now();
  }

  /** The checks of a server that has started, with what each has found last. */
  private static final class Checks {
    private final ServerFacts facts;
    private final List<Latest<List<CheckResult>>> all = new ArrayList<>();
    private final Latest<Map<String, DiskRoom>> disks;
    private final Latest<List<Member>> members;
    private final Latest<List<Retentions.Rule>> retention;

    Checks(ServerFacts facts) {
      this.facts = facts;
      disks = value(LATER, this::look, Map.of());
      members = value(SOON, () -> facts.leases().members(), List.of());
      retention =
          value(
              LATER,
              () ->
                  facts
                      .bus()
                      .request(Retentions.LIST, new Retentions.AskRules())
                      .map(Retentions.Rules::items),
              List.of());
      new StoreChecks(facts.store(), facts.clock()).all().forEach(this::add);
      checks().forEach(this::add);
      facts
          .clusters()
          .forEach((name, look) ->
              add(
                  Check.of(
                      "cluster " + name,
                      LATER,
                      "look at the cluster, and at the network to it",
                      () -> PlatformChecks.cluster(facts, look))));
    }

    private List<Check> checks() {
      Path home = Objects.requireNonNull(facts.directories().get("disk"), "disk");
      String studio = "look whether a server with the role orchestrator runs";
      return List.of(
          one("readiness", SOON, "look at the log", () -> facts.readiness().now().map(this::ready)),
          Check.of("sync", LATER, "run as its owner", () -> PlatformChecks.sync(facts, home)),
          Check.of(
              "servers",
              SOON,
              "look at the database",
              () ->
                  facts
                      .leases()
                      .members()
                      .map(found -> GroupChecks.members(facts.leases().shared(), found))),
          Check.of("routers", SOON, studio, () -> GroupChecks.routers(facts.bus())),
          Check.of("certificate", LATER, "renew it", () -> PlatformChecks.certificates(facts)),
          one(
              "sandbox",
              LATER,
              "",
              () -> Future.succeededFuture(PlatformChecks.sandbox(facts.sandbox()))),
          Check.of("registries", SELDOM, studio, () -> PlatformChecks.registries(facts.bus())));
    }

    private static Check one(
        String name, Duration fresh, String advice, Supplier<Future<CheckResult>> look) {
      return Check.of(name, fresh, advice, () -> look.get().map(List::of));
    }

    private CheckResult ready(Readiness.State state) {
      String reason = state.reason();
      return reason == null
          ? CheckResult.ok("readiness", state.word())
          : CheckResult.failed("readiness", reason, "make what it names work again");
    }

    private void add(Check check) {
      all.add(
          new Latest<>(
              facts.clock(),
              check.fresh(),
              check.look(),
              failure -> List.of(failed(check, failure)),
              () -> List.of(late(check))));
    }

    /** A part that another server should have is not known to be broken. */
    private static CheckResult failed(Check check, Throwable failure) {
      Problem problem = Problem.of(failure);
      return problem instanceof Problem.Passing
          ? CheckResult.unknown(check.name(), problem.detail(), check.advice())
          : CheckResult.failed(check.name(), problem.detail(), check.advice());
    }

    private static CheckResult late(Check check) {
      return CheckResult.unknown(
          check.name(),
          "no answer within %d s".formatted(Latest.PATIENCE.toSeconds()),
          check.advice());
    }

    private <T> Latest<T> value(Duration fresh, Supplier<Future<T>> question, T none) {
      return new Latest<>(facts.clock(), fresh, question, failure -> none, () -> none);
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

    Future<@Nullable Status> now() {
      Future<Told<Map<String, DiskRoom>>> room = disks.now();
      Future<Told<List<Member>>> servers = members.now();
      Future<Told<List<Retentions.Rule>>> rules = retention.now();
      List<Future<?>> waited = new ArrayList<>(List.of(room, servers, rules));
      List<Future<Told<List<CheckResult>>>> asked = all.stream().map(Latest::now).toList();
      waited.addAll(asked);
      return Future.all(waited)
          .map(done -> {
            List<TimedResult> results = new ArrayList<>();
            asked.forEach(each -> add(results, each.result().value(), each.result().at()));
            add(results, rooms(room.result().value()), room.result().at());
            add(
                results,
                PlatformChecks.retention(rules.result().value(), facts.clock().now()),
                rules.result().at());
            results.sort(
                Comparator.comparing((TimedResult each) -> each.result().state()).reversed());
            return new Status(
                facts,
                State.worst(results.stream().map(each -> each.result().state()).toList()),
                List.copyOf(results),
                facts.leases().shared() ? servers.result().value() : List.of(self()),
                room.result().value(),
                rules.result().value());
          });
    }

    private static void add(
        List<TimedResult> results, List<CheckResult> found, @Nullable Instant at) {
      found.forEach(result -> results.add(new TimedResult(result, at)));
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
                        name, directory + " cannot be asked", "look at the file system")
                    : room.check(name));
          });
      return results;
    }

    private Member self() {
      return new Member(
          "", facts.url(), facts.leases().host(), facts.roles(), facts.version(), Duration.ZERO);
    }
  }

  /** The roles of a member in words. */
  static List<String> roles(Member member) {
    return member.roles().stream().sorted().map(ServerRole::word).toList();
  }
}
