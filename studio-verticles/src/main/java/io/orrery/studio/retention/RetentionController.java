package io.orrery.studio.retention;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.Retentions;
import io.orrery.core.bus.contract.Retentions.Kind;
import io.orrery.core.bus.contract.Retentions.Pass;
import io.orrery.core.bus.contract.Retentions.Rule;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The verticle that has old objects removed once a night, on one server at a time. A night in which
 * no server ran is made up for at the next start. A rule that was changed counts from the night
 * after, so that there is time to look at what it would remove.
 */
public final class RetentionController extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(RetentionController.class);
  private static final LocalTime NIGHT = LocalTime.of(1, 0);
  private static final Duration ROUND = Duration.ofMinutes(10);
  private static final Actor NIGHTLY = new Actor("retention", "");

  private final Bus bus;
  private final Clock clock;
  private final ZoneId zone;
  private Clock.@Nullable Timer timer;
  private boolean closed;

  /**
   * @param zone of the nights
   */
  public RetentionController(Bus bus, Clock clock, ZoneId zone) {
    this.bus = bus;
    this.clock = clock;
    this.zone = zone;
  }

  @Override
  public Future<?> start() {
    round();
    return Future.succeededFuture();
  }

  private void round() {
    bus.request(Retentions.LIST, new Retentions.AskRules())
        .compose(rules -> {
          List<Kind> due = due(rules.items(), clock.now(), zone);
          return due.isEmpty()
              ? Future.succeededFuture()
              : bus.request(Retentions.RUN, new Retentions.RunNow(NIGHTLY, due));
        })
        .onFailure(
            failure -> LOG.warn("could not remove old objects: {}", Problem.of(failure).detail()))
        .onComplete(done -> {
          if (!closed) {
            timer = clock.after(ROUND, this::round);
          }
        });
  }

  /** The kinds whose rules stood at the last night, and that no pass has gone over since. */
  static List<Kind> due(List<Rule> rules, Instant now, ZoneId zone) {
    Instant night = lastNight(now, zone);
    return rules.stream()
        .filter(rule -> rule.keepDays() != null && stood(rule, night) && !isDone(rule, night))
        .map(Rule::kind)
        .toList();
  }

  private static boolean stood(Rule rule, Instant night) {
    Instant changed = rule.changedAt();
    return changed == null || changed.isBefore(night);
  }

  private static boolean isDone(Rule rule, Instant night) {
    Pass last = rule.last();
    return last != null && !last.at().isBefore(night);
  }

  private static Instant lastNight(Instant now, ZoneId zone) {
    ZonedDateTime local = now.atZone(zone);
    ZonedDateTime tonight = local.with(NIGHT);
    return (tonight.isAfter(local) ? tonight.minusDays(1) : tonight).toInstant();
  }

  @Override
  public Future<?> stop() {
    closed = true;
    if (timer != null) {
      timer.cancel();
    }
    return Future.succeededFuture();
  }
}
