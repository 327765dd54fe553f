package io.orrery.gateway.status;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.ServerRole;
import io.orrery.core.bus.contract.Retentions;
import io.orrery.core.bus.contract.ServerFindings;
import io.orrery.core.bus.contract.ServerFindings.Findings;
import io.orrery.core.bus.contract.ServerFindings.ServerFinding;
import io.orrery.core.check.CheckResult;
import io.orrery.core.check.CheckResult.State;
import io.orrery.core.check.DiskRoom;
import io.orrery.core.lease.Member;
import io.orrery.core.sql.DatabaseCheck;
import io.orrery.core.time.Clock;
import io.orrery.gateway.status.Latest.Told;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The checks of a server, from its start on, with those of the servers beside it. {@link #attach}
 * and {@link #now} are called on one event loop only, {@link #started} may be on any thread.
 */
public final class StatusBoard {
  private static final Logger LOG = LoggerFactory.getLogger(StatusBoard.class);

  /** How long the schema of the database is taken as it was. */
  private static final Duration SCHEMA = Duration.ofMinutes(1);

  /** Registries count logins, and limit them. */
  private static final Duration SELDOM = Duration.ofMinutes(15);

  /** A server that asks waits a second longer. */
  private static final Duration FOR_OTHERS = Duration.ofMillis(1500);

  private static final String STUDIO = "look whether a server with the role orchestrator runs";

  private volatile @Nullable ServerFacts facts;
  private volatile @Nullable Context loop;
  private @Nullable Checks checks;

  /**
   * A summary of what is known of a server.
   *
   * @param results the worst first
   * @param members the servers of the database, this one alone where nothing is shared
   * @param own which of them is this one
   * @param heard when the others have answered last, by their ids
   * @param disks by the names of their checks
   */
  record Status(
      ServerFacts facts,
      State state,
      List<TimedResult> results,
      List<Member> members,
      String own,
      Map<String, Instant> heard,
      Map<String, DiskRoom> disks,
      List<Retentions.Rule> retention) {}

  /** Where the checks run, and the questions of other servers are answered. */
  void attach(Context context) {
    loop = context;
  }

  /** From now on there is something to look at. */
  public void started(ServerFacts parts) {
    facts = parts;
    Context context = loop;
    if (context != null) {
      parts
          .leases()
          .onMembership(id -> context.runOnContext(go -> checks(parts).answerOthersAs(id)));
    }
  }

  /** Gives what is known now; null while the server starts. It takes seconds and never fails. */
  Future<@Nullable Status> now() {
    ServerFacts parts = facts;
    return parts == null ? Future.succeededFuture(null) : checks(parts).now();
  }

  private Checks checks(ServerFacts parts) {
    Checks present = checks;
    if (present == null) {
      present = new Checks(parts);
      checks = present;
    }
    return present;
  }

  /** The checks of a server that has started, with what each has found last. */
  private static final class Checks {
    private final ServerFacts facts;
    private final OwnChecks own;
    private final OtherServers others;
    private final List<Latest<List<CheckResult>>> common;
    private final Latest<Reading<List<Member>>> members;
    private final Latest<List<TimedResult>> ofOthers;
    private final Latest<Reading<List<Retentions.Rule>>> retention;
    private Bus.@Nullable Subscription answering;
    private String id = "";

    Checks(ServerFacts facts) {
      this.facts = facts;
      Clock clock = facts.clock();
      Bus bus = facts.bus();
      own = new OwnChecks(facts);
      others = new OtherServers(bus, clock, facts.version());
      members =
          Reading.kept(
              clock,
              "servers",
              Check.SOON,
              "check the database",
              () -> facts.leases().members(),
              List.of());
      ofOthers =
          new Latest<>(
              clock,
              Check.SOON,
              this::askOthers,
              failure -> List.of(ofThis(Check.failed("other servers", "", failure))),
              () -> List.of(ofThis(Check.late("other servers", ""))));
      retention =
          Reading.kept(
              clock,
              "retention",
              Check.LATER,
              STUDIO,
              () ->
                  bus.request(Retentions.LIST, new Retentions.AskRules())
                      .map(Retentions.Rules::items),
              List.of());
      common =
          List.of(
                  new Check(
                      "schema",
                      SCHEMA,
                      "check the database and `store.url`",
                      () -> DatabaseCheck.schema(facts.vertx(), facts.store(), facts.migrations())),
                  new Check("routers", Check.SOON, STUDIO, () -> GroupChecks.routers(bus)),
                  new Check("registries", SELDOM, STUDIO, () -> PlatformChecks.registries(bus)))
              .stream()
              .map(check -> check.kept(clock))
              .toList();
    }

    private static TimedResult ofThis(CheckResult result) {
      return new TimedResult(result, null, null);
    }

    private Future<List<TimedResult>> askOthers() {
      return members
          .now()
          .compose(told -> {
            Reading<List<Member>> read = told.value();
            List<Member> asked =
                (read.fault() == null ? read.value() : others.known())
                    .stream().filter(member -> !member.id().equals(id)).toList();
            return others.ask(asked, id);
          });
    }

    /** Answers other servers under the id of a membership, and no more under the one before. */
    void answerOthersAs(String membership) {
      if (membership.equals(id)) {
        return;
      }
      id = membership;
      Bus.Subscription before = answering;
      answering = null;
      if (before != null) {
        end(before);
      }
      facts
          .bus()
          .serve(
              ServerFindings.OWN.of(membership),
              asked -> own.now(FOR_OTHERS).map(outcomes -> findings(outcomes.results())))
          .onSuccess(serving -> {
            // A membership may be lost before the answers of it are served.
            if (membership.equals(id)) {
              answering = serving;
            } else {
              end(serving);
            }
          })
          .onFailure(failure ->
              LOG.warn("could not serve what the checks find to other servers", failure));
    }

    private static void end(Bus.Subscription answers) {
      answers
          .cancel()
          .onFailure(
              failure -> LOG.warn("could not end the answers of the membership before", failure));
    }

    private static Findings findings(List<TimedResult> results) {
      return new Findings(
          results.stream()
              .map(each -> {
                CheckResult result = each.result();
                return new ServerFinding(
                    result.check(),
                    result.state().word(),
                    result.found(),
                    result.advice(),
                    each.at());
              })
              .toList());
    }

    Future<@Nullable Status> now() {
      boolean shared = facts.leases().shared();
      Future<OwnChecks.Outcomes> here = own.now(Latest.TIMEOUT);
      Future<Told<Reading<List<Member>>>> servers = members.now();
      Future<Told<Reading<List<Retentions.Rule>>>> rules = retention.now();
      Future<List<TimedResult>> elsewhere =
          shared ? ofOthers.now().map(Told::value) : Future.succeededFuture(List.of());
      List<Future<Told<List<CheckResult>>>> asked = common.stream().map(Latest::now).toList();
      List<Future<?>> waited = new ArrayList<>(List.of(here, servers, rules, elsewhere));
      waited.addAll(asked);
      return Future.all(waited)
          .map(done -> {
            List<TimedResult> results = new ArrayList<>(here.result().results());
            asked.forEach(
                each -> results.addAll(TimedResult.of(each.result(), Function.identity())));
            results.addAll(
                TimedResult.of(
                    servers.result(),
                    all -> all.checked(found -> GroupChecks.members(shared, found))));
            results.addAll(
                TimedResult.of(
                    rules.result(),
                    all ->
                        all.checked(
                            found -> PlatformChecks.retention(found, facts.clock().now()))));
            results.addAll(elsewhere.result());
            return status(
                results,
                shared ? servers.result().value().value() : List.of(self()),
                here.result().disks(),
                rules.result().value().value());
          });
    }

    private Status status(
        List<TimedResult> results,
        List<Member> all,
        Map<String, DiskRoom> disks,
        List<Retentions.Rule> rules) {
      results.sort(Comparator.comparing((TimedResult each) -> each.result().state()).reversed());
      Map<String, Instant> heard = new HashMap<>();
      all.forEach(member -> others.heardAt(member).ifPresent(at -> heard.put(member.id(), at)));
      return new Status(
          facts,
          State.worst(results.stream().map(each -> each.result().state()).toList()),
          List.copyOf(results),
          all,
          id,
          heard,
          disks,
          rules);
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
