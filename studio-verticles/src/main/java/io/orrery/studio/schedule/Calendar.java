package io.orrery.studio.schedule;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The instants at which one of several cron expressions is due, in a time zone.
 *
 * <p>An expression that names hours goes by the clock on the wall: a time that is left out when
 * clocks go forward is due as they do so, and one that comes twice is due the first time. An
 * expression for every hour goes by time that passes: what is left out is not due, and what comes
 * twice is due twice.
 */
public final class Calendar {
  private final List<CronExpression> expressions;
  private final ZoneRules rules;

  private Calendar(List<CronExpression> expressions, ZoneRules rules) {
    this.expressions = List.copyOf(expressions);
    this.rules = rules;
  }

  /**
   * A calendar.
   *
   * @throws IllegalArgumentException when an expression is none
   */
  public static Calendar of(List<String> expressions, ZoneId zone) {
    return new Calendar(expressions.stream().map(CronExpression::parse).toList(), zone.getRules());
  }

  /** The first instant after another; empty when there is none. */
  public Optional<Instant> next(Instant after) {
    Instant first = null;
    for (CronExpression expression : expressions) {
      Instant next = expression.hourly() ? byTime(expression, after) : byClock(expression, after);
      if (next != null && (first == null || next.isBefore(first))) {
        first = next;
      }
    }
    return Optional.ofNullable(first);
  }

  /**
   * The instants after one and up to another.
   *
   * @param most so many at most, the earliest
   */
  public List<Instant> between(Instant after, Instant to, int most) {
    List<Instant> all = new ArrayList<>();
    Instant at = after;
    while (all.size() < most) {
      Optional<Instant> next = next(at);
      if (next.isEmpty() || next.get().isAfter(to)) {
        break;
      }
      at = next.get();
      all.add(at);
    }
    return all;
  }

  /** The last instant after one and up to another; empty when there is none. */
  public Optional<Instant> last(Instant after, Instant to) {
    Optional<Instant> found = next(after).filter(first -> !first.isAfter(to));
    if (found.isEmpty()) {
      return found;
    }
    // Halves the span: it may have millions of instants.
    long low = found.get().getEpochSecond();
    long high = to.getEpochSecond();
    while (low < high) {
      long middle = low + (high - low) / 2;
      Optional<Instant> next =
          next(Instant.ofEpochSecond(middle)).filter(later -> !later.isAfter(to));
      if (next.isPresent()) {
        found = next;
        low = next.get().getEpochSecond();
      } else {
        high = middle;
      }
    }
    return found;
  }

  private @Nullable Instant byClock(CronExpression expression, Instant after) {
    LocalDateTime local = LocalDateTime.ofInstant(after, rules.getOffset(after));
    while (true) {
      Optional<LocalDateTime> next = expression.next(local);
      if (next.isEmpty()) {
        return null;
      }
      local = next.get();
      Instant at = instant(local);
      if (at.isAfter(after)) {
        return at;
      }
    }
  }

  /** The first instant of a local time; for one that is left out, the instant of the change. */
  private Instant instant(LocalDateTime local) {
    ZoneOffsetTransition change = rules.getTransition(local);
    return change != null && change.isGap()
        ? change.getInstant()
        : local.toInstant(rules.getOffset(local));
  }

  private @Nullable Instant byTime(CronExpression expression, Instant after) {
    Instant from = after;
    while (true) {
      ZoneOffset offset = rules.getOffset(from);
      Optional<LocalDateTime> next = expression.next(LocalDateTime.ofInstant(from, offset));
      if (next.isEmpty()) {
        return null;
      }
      Instant at = next.get().toInstant(offset);
      ZoneOffsetTransition change = rules.nextTransition(from);
      if (change == null || at.isBefore(change.getInstant())) {
        return at;
      }
      // The instant of the change itself is a candidate, by the offset that holds from then on.
      Instant before = change.getInstant().minusNanos(1);
      ZoneOffset then = change.getOffsetAfter();
      Optional<LocalDateTime> first = expression.next(LocalDateTime.ofInstant(before, then));
      if (first.isPresent() && first.get().equals(change.getDateTimeAfter())) {
        return change.getInstant();
      }
      from = change.getInstant();
    }
  }
}
