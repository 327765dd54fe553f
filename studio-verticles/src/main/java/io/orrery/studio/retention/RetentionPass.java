package io.orrery.studio.retention;

import io.orrery.core.async.AsyncLoop;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.Retentions;
import io.orrery.core.bus.contract.Retentions.Kind;
import io.orrery.core.bus.contract.Retentions.OldObject;
import io.orrery.core.bus.contract.Retentions.Pass;
import io.orrery.core.bus.contract.Retentions.Preview;
import io.orrery.core.bus.contract.Retentions.Rule;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A pass over old objects, which removes them by their rules. Two at once do no harm. */
final class RetentionPass {
  private static final Logger LOG = LoggerFactory.getLogger(RetentionPass.class);
  private static final int PAGE = 100;

  /** After so many failures something is wrong with more than single objects. */
  private static final int MOST_FAILURES = 100;

  private final Map<Kind, OldObjects> kinds;
  private final RetentionTable table;
  private final Clock clock;

  RetentionPass(Map<Kind, OldObjects> kinds, RetentionTable table, Clock clock) {
    this.kinds = Map.copyOf(kinds);
    this.table = table;
    this.clock = clock;
  }

  /** The numbers of a pass. */
  private static final class Tally {
    private long removed;
    private long kept;
    private long failed;
    private String first = "";
    private long unread;

    void failed(OldObject item, Problem problem) {
      if (failed++ == 0) {
        first = "%s: %s".formatted(item.name(), problem.detail());
      }
    }

    /** A sentence about what could not be removed; null when all that is old was. */
    @Nullable String failure() {
      List<String> parts = new ArrayList<>();
      if (failed > 0) {
        parts.add("%d could not be removed, the first is %s".formatted(failed, first));
      }
      if (unread > 0) {
        parts.add(
            "%d directories could not be read, the log of the server that builds has them"
                .formatted(unread));
      }
      return parts.isEmpty() ? null : String.join("; ", parts);
    }
  }

  /** Removes what rules say, one kind after the other; what fails is noted at its kind. */
  Future<Void> run(Actor by, List<Rule> rules) {
    return AsyncLoop.inTurn(
        rules.stream().filter(rule -> rule.keepDays() != null).toList(), rule -> run(by, rule));
  }

  private Future<Void> run(Actor by, Rule rule) {
    Tally tally = new Tally();
    return remove(by, rule, tally)
        .<@Nullable String>map(done -> tally.failure())
        .otherwise(failure -> {
          LOG.warn(
              "could not remove all old {}: {}", rule.kind().word(), Problem.of(failure).detail());
          return Problem.of(failure).detail();
        })
        .compose(failure ->
            table.note(rule.kind(), new Pass(clock.now(), tally.removed, tally.kept, failure)));
  }

  private Future<Void> remove(Actor by, Rule rule, Tally tally) {
    OldObjects objects = Objects.requireNonNull(kinds.get(rule.kind()));
    Instant before = before(Objects.requireNonNull(rule.keepDays()));
    return AsyncLoop.pages(cursor ->
        objects
            .find(before, cursor, PAGE)
            .onSuccess(found -> tally.unread += found.unread())
            .compose(found ->
                AsyncLoop.inTurn(found.items(), item -> remove(objects, by, item, before, tally))
                    .map(done -> found.next())));
  }

  private static Future<Void> remove(
      OldObjects objects, Actor by, OldObject item, Instant before, Tally tally) {
    if (item.usedBy() != null) {
      tally.kept++;
      return Future.succeededFuture();
    }
    return objects
        .remove(by, item, before)
        .onSuccess(gone -> tally.removed += item.count())
        .<Void>mapEmpty()
        .recover(failure ->
            switch (Problem.of(failure)) {
              case Problem.Conflict used -> {
                tally.kept++;
                yield Future.succeededFuture();
              }
              case Problem.NotFound gone -> Future.succeededFuture();
              // The others would be answered no better at this time.
              case Problem.Passing lack -> Future.failedFuture(failure);
              default -> goOn(item, Problem.of(failure), tally);
            });
  }

  /** Leaves an object to the next night, so that it does not keep the others. */
  private static Future<Void> goOn(OldObject item, Problem problem, Tally tally) {
    LOG.warn("could not remove old {} {}: {}", item.kind().word(), item.name(), problem.detail());
    tally.failed(item, problem);
    return tally.failed < MOST_FAILURES
        ? Future.succeededFuture()
        : Future.failedFuture(
            new Problem.Broken(tally.failure() + "; the others were not tried").toException());
  }

  /** The objects that rules would remove now. */
  Future<Preview> preview(List<Rule> rules) {
    List<OldObject> all = new ArrayList<>();
    boolean[] more = {false};
    return AsyncLoop.inTurn(
            rules.stream().filter(rule -> rule.keepDays() != null).toList(),
            rule ->
                Objects.requireNonNull(kinds.get(rule.kind()))
                    .find(
                        before(Objects.requireNonNull(rule.keepDays())),
                        null,
                        Retentions.MOST_PREVIEWED)
                    .onSuccess(found -> {
                      all.addAll(found.items().stream().limit(Retentions.MOST_PREVIEWED).toList());
                      more[0] |=
                          found.next() != null || found.items().size() > Retentions.MOST_PREVIEWED;
                    }))
        .map(done -> new Preview(all, more[0]));
  }

  private Instant before(int days) {
    return clock.now().minus(Duration.ofDays(days));
  }
}
