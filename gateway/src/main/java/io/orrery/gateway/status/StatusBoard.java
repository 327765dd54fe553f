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
import java.util.function.Function;
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

  private static final String STUDIO = "look whether a server with the role orchestrator runs";

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

  /** Gives what is known now; null while the server starts. It takes seconds and never fails. */
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

  /**
   * A value that is shown as it is, and that checks are made of.
   *
   * @param value empty when it could not be had
   * @param fault why; null when it was
   */
  private record Reading<T>(T value, @Nullable CheckResult fault) {
    /** The checks that are made of it: the fault alone where there is one. */
    List<CheckResult> checked(Function<T, List<CheckResult>> check) {
      return fault == null ? check.apply(value) : List.of(fault);
    }
  }

  /** The checks of a server that has started, with what each has found last. */
  private static final class Checks {
    private final ServerFacts facts;
    private final List<Latest<List<CheckResult>>> all = new ArrayList<>();
    private final Latest<Reading<Map<String, DiskRoom>>> disks;
    private final Latest<Reading<List<Member>>> members;
    private final Latest<Reading<List<Retentions.Rule>>> retention;

    Checks(ServerFacts facts) {
      this.facts = facts;
      disks = reading("disk", LATER, "look at the file system", this::look, Map.of());
      members =
          reading(
              "servers", SOON, "look at the database", () -> facts.leases().members(), List.of());
      retention =
          reading(
              "retention",
              LATER,
              STUDIO,
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
                  new Check(
                      "cluster " + name,
                      LATER,
                      "look at the cluster, and at the network to it",
                      () -> PlatformChecks.cluster(facts, look))));
    }

    private List<Check> checks() {
      Path home = Objects.requireNonNull(facts.directories().get("disk"), "disk");
      return List.of(
          one("readiness", SOON, "look at the log", () -> facts.readiness().now().map(this::ready)),
          new Check("sync", LATER, "run as its owner", () -> PlatformChecks.sync(facts, home)),
          new Check("routers", SOON, STUDIO, () -> GroupChecks.routers(facts.bus())),
          new Check("certificate", LATER, "renew it", () -> PlatformChecks.certificates(facts)),
          one("sandbox", LATER, "", () -> Future.succeededFuture(facts.sandbox().check())),
          new Check("registries", SELDOM, STUDIO, () -> PlatformChecks.registries(facts.bus())));
    }

    private static Check one(
        String name, Duration fresh, String advice, Supplier<Future<CheckResult>> look) {
      return new Check(name, fresh, advice, () -> look.get().map(List::of));
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
              failure -> List.of(failed(check.name(), check.advice(), failure)),
              () -> List.of(late(check.name(), check.advice()))));
    }

    private <T> Latest<Reading<T>> reading(
        String name, Duration fresh, String advice, Supplier<Future<T>> question, T none) {
      return new Latest<>(
          facts.clock(),
          fresh,
          () -> question.get().map(value -> new Reading<>(value, null)),
          failure -> new Reading<>(none, failed(name, advice, failure)),
          () -> new Reading<>(none, late(name, advice)));
    }

    /** A part that another server should have is not known to be broken. */
    private static CheckResult failed(String name, String advice, Throwable failure) {
      Problem problem = Problem.of(failure);
      return problem instanceof Problem.Passing
          ? CheckResult.unknown(name, problem.detail(), advice)
          : CheckResult.failed(name, problem.detail(), advice);
    }

    private static CheckResult late(String name, String advice) {
      return CheckResult.unknown(
          name, "no answer within %d s".formatted(Latest.TIMEOUT.toSeconds()), advice);
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
      Future<Told<Reading<Map<String, DiskRoom>>>> room = disks.now();
      Future<Told<Reading<List<Member>>>> servers = members.now();
      Future<Told<Reading<List<Retentions.Rule>>>> rules = retention.now();
      List<Future<?>> waited = new ArrayList<>(List.of(room, servers, rules));
      List<Future<Told<List<CheckResult>>>> asked = all.stream().map(Latest::now).toList();
      waited.addAll(asked);
      boolean shared = facts.leases().shared();
      return Future.all(waited)
          .map(done -> {
            List<TimedResult> results = new ArrayList<>();
            asked.forEach(each -> add(results, each.result(), Function.identity()));
            add(results, room.result(), all -> all.checked(this::rooms));
            add(
                results,
                servers.result(),
                all -> all.checked(found -> GroupChecks.members(shared, found)));
            add(
                results,
                rules.result(),
                all -> all.checked(found -> PlatformChecks.retention(found, facts.clock().now())));
            results.sort(
                Comparator.comparing((TimedResult each) -> each.result().state()).reversed());
            return new Status(
                facts,
                State.worst(results.stream().map(each -> each.result().state()).toList()),
                List.copyOf(results),
                shared ? servers.result().value().value() : List.of(self()),
                room.result().value().value(),
                rules.result().value().value());
          });
    }

    private static <T> void add(
        List<TimedResult> results, Told<T> told, Function<T, List<CheckResult>> checks) {
      checks.apply(told.value()).forEach(result -> results.add(new TimedResult(result, told.at())));
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
