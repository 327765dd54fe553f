package io.orrery.gateway.status;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.ServerFindings;
import io.orrery.core.bus.contract.ServerFindings.AskFindings;
import io.orrery.core.bus.contract.ServerFindings.Findings;
import io.orrery.core.check.CheckResult;
import io.orrery.core.lease.Member;
import io.orrery.core.time.Clock;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Asks the other servers of the database what they have found out about themselves. One that does
 * not answer is shown with what it told last. One that is no member any more is named for some
 * minutes: it was stopped, or it has failed, and only the servers that have heard it know of it. It
 * belongs to one event loop.
 */
final class OtherServers {
  /** The name of the check that says that a server does not tell what it finds. */
  static final String NAME = "server";

  /** How long one that is no member any more is named. */
  private static final Duration NAMED = Duration.ofMinutes(15);

  private final Bus bus;
  private final Clock clock;
  private final String version;
  private final Map<String, Word> heard = new LinkedHashMap<>();

  /** The last answer of a server. */
  private record Word(Member member, Instant at, List<TimedResult> results) {}

  /**
   * @param version of this program
   */
  OtherServers(Bus bus, Clock clock, String version) {
    this.bus = bus;
    this.clock = clock;
    this.version = version;
  }

  /** When a server has answered last; empty while it has not. */
  Optional<Instant> heardAt(Member member) {
    return Optional.ofNullable(heard.get(member.id())).map(Word::at);
  }

  /** Those that have answered, for the time in which the database does not say who is there. */
  List<Member> known() {
    return heard.values().stream().map(Word::member).toList();
  }

  /**
   * Asks each, and completes with what they have found; never fails.
   *
   * @param others the members but this one
   * @param own the id of this one
   */
  Future<List<TimedResult>> ask(List<Member> others, String own) {
    List<Future<List<TimedResult>>> asked = others.stream().map(this::ask).toList();
    return Future.all(asked)
        .map(done -> {
          List<TimedResult> results = new ArrayList<>();
          asked.forEach(each -> results.addAll(each.result()));
          results.addAll(gone(others, own));
          return results;
        });
  }

  private Future<List<TimedResult>> ask(Member member) {
    return bus.request(ServerFindings.OWN.of(member.id()), new AskFindings())
        .map(findings -> hear(member, findings))
        .otherwise(failure -> silent(member, failure));
  }

  private List<TimedResult> hear(Member member, Findings findings) {
    List<TimedResult> results =
        findings.items().stream()
            .map(item ->
                new TimedResult(
                    new CheckResult(
                        item.check(),
                        CheckResult.State.of(item.state()),
                        item.found(),
                        item.advice()),
                    item.at(),
                    member))
            .toList();
    heard.put(member.id(), new Word(member, clock.now(), results));
    return results;
  }

  private List<TimedResult> silent(Member member, Throwable failure) {
    Word last = heard.get(member.id());
    List<TimedResult> results = new ArrayList<>(List.of(timed(silence(member, failure), member)));
    if (last != null) {
      results.addAll(last.results());
    }
    return results;
  }

  private CheckResult silence(Member member, Throwable failure) {
    Word last = heard.get(member.id());
    if (last != null) {
      return CheckResult.warning(
          NAME,
          since(last) + ", though the database hears it; what is shown of it is from then",
          "read its log, and check the network between the servers");
    }
    if (!Bus.isUnserved(failure)) {
      return CheckResult.warning(
          NAME,
          "it does not answer, though the database hears it",
          "read its log, and check the network between the servers");
    }
    return version.equals(member.version())
        ? CheckResult.unknown(
            NAME, "not heard from yet: it may still be starting", "read its log if it stays so")
        : CheckResult.unknown(
            NAME,
            "of an earlier version, which does not tell the others what its checks find",
            "its own status shows them");
  }

  /** Forgets those that have come back, and those that went long ago. */
  private List<TimedResult> gone(List<Member> others, String own) {
    Instant now = clock.now();
    List<TimedResult> results = new ArrayList<>();
    heard
        .entrySet()
        .removeIf(each -> {
          Word last = each.getValue();
          if (each.getKey().equals(own)
              || others.stream().anyMatch(other -> isAnotherLifeOf(last.member(), other))
              || Duration.between(last.at(), now).compareTo(NAMED) > 0) {
            return true;
          }
          if (others.stream().noneMatch(other -> other.id().equals(each.getKey()))) {
            results.add(
                timed(
                    CheckResult.unknown(
                        NAME,
                        since(last)
                            + "; it is no member any more: it was stopped, or it has failed",
                        "check its machine, unless it was stopped"),
                    last.member()));
          }
          return false;
        });
    return results;
  }

  /** Whether a server has come back as another member. */
  private static boolean isAnotherLifeOf(Member before, Member now) {
    return !before.id().equals(now.id())
        && before.url().equals(now.url())
        && before.host().equals(now.host());
  }

  private static String since(Word last) {
    return "not heard from since " + last.at().truncatedTo(ChronoUnit.SECONDS);
  }

  private TimedResult timed(CheckResult result, Member member) {
    return new TimedResult(result, clock.now(), member);
  }
}
