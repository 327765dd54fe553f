package io.orrery.compute.hybrid;

import io.orrery.compute.service.Room;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The platforms of one experiment and what became of the attempts that were sent there. Thread
 * safe; never blocks.
 */
final class PlatformStats {
  /** How much a wait counts against all that were before it. */
  private static final double LATEST = 0.3;

  private final List<MemberPlatform> members;
  private final Clock clock;
  private final Map<AttemptRef, Assignment> seats = new HashMap<>();
  private final Map<String, Integer> here = new HashMap<>();
  private final Map<String, Duration> waits = new HashMap<>();
  private final Map<String, Aside> aside = new HashMap<>();

  /**
   * An attempt that was sent somewhere.
   *
   * @param since null when it is unknown how long it has waited
   * @param why it is there; null when that was told
   */
  private record Assignment(String member, @Nullable Instant since, @Nullable String why) {}

  /**
   * A reason why a platform gets no attempts.
   *
   * @param until null when it lasts until it is taken back
   */
  private record Aside(String why, @Nullable Instant until) {
    boolean holds(Instant now) {
      return until == null || now.isBefore(until);
    }
  }

  PlatformStats(List<MemberPlatform> members, Clock clock) {
    this.members = members;
    this.clock = clock;
  }

  List<MemberPlatform> members() {
    return members;
  }

  /** A platform by its name; NotFound when the experiment does not have it any more. */
  MemberPlatform named(String name) {
    return members.stream()
        .filter(member -> member.name().equals(name))
        .findFirst()
        .orElseThrow(() ->
            new Problem.NotFound("the experiment has no platform '" + name + "' any more")
                .toException());
  }

  /**
   * Chooses a platform for an attempt, and counts it there.
   *
   * @param rooms what the platforms say of themselves
   */
  synchronized PlatformChoice choose(AttemptRef attempt, Function<MemberPlatform, Room> rooms) {
    PlatformChoice choice =
        PlatformChoice.among(
            members.stream().map(member -> standing(member, rooms.apply(member))).toList());
    PlatformLoad chosen = choice.chosen();
    if (chosen != null) {
      sit(attempt, new Assignment(chosen.name(), clock.now(), choice.why()));
    }
    return choice;
  }

  /** The attempts that a platform has. */
  synchronized List<AttemptRef> at(MemberPlatform member) {
    return seats.entrySet().stream()
        .filter(seat -> seat.getValue().member().equals(member.name()))
        .map(Map.Entry::getKey)
        .toList();
  }

  /**
   * How a platform is now.
   *
   * @param room what it says of itself
   */
  synchronized PlatformLoad standing(MemberPlatform member, Room room) {
    int there = here.getOrDefault(member.name(), 0);
    Aside pause = aside.get(member.name());
    String absence = pause != null && pause.holds(clock.now()) ? pause.why() : room.absence();
    Integer left = member.capacity() == null ? null : Math.max(0, member.capacity() - there);
    Integer free =
        left == null || room.free() == null
            ? (left == null ? room.free() : left)
            : Integer.valueOf(Math.min(left, room.free()));
    return new PlatformLoad(
        member.name(),
        member.weight(),
        absence,
        free,
        there,
        waits.getOrDefault(member.name(), Duration.ZERO));
  }

  /** An attempt is somewhere already. */
  synchronized void found(AttemptRef attempt, String member) {
    if (!seats.containsKey(attempt)) {
      sit(attempt, new Assignment(member, null, null));
    }
  }

  private void sit(AttemptRef attempt, Assignment seat) {
    seats.put(attempt, seat);
    here.merge(seat.member(), 1, Integer::sum);
  }

  /** Why an attempt is where it has started; null when that was told, or is unknown. */
  synchronized @Nullable String started(AttemptRef attempt) {
    Assignment seat = seats.get(attempt);
    if (seat == null) {
      return null;
    }
    if (seat.since() != null) {
      Duration fresh = Duration.between(seat.since(), clock.now());
      waits.merge(
          seat.member(),
          fresh,
          (before, now) ->
              Duration.ofMillis(
                  Math.round(before.toMillis() * (1 - LATEST) + now.toMillis() * LATEST)));
    }
    seats.put(attempt, new Assignment(seat.member(), null, null));
    return seat.why();
  }

  /** An attempt takes no room any more; whether it did. */
  synchronized boolean left(AttemptRef attempt) {
    Assignment seat = seats.remove(attempt);
    if (seat == null) {
      return false;
    }
    here.merge(seat.member(), -1, Integer::sum);
    return true;
  }

  /** A platform gets no attempts until it is taken back. */
  synchronized void setAside(String member, String why) {
    aside.put(member, new Aside(why, null));
  }

  /** A platform gets no attempts for a while. */
  synchronized void setAside(String member, String why, Duration length) {
    aside.put(member, new Aside(why, clock.now().plus(length)));
  }

  /** A platform gets attempts again. */
  synchronized void takeBack(String member) {
    aside.remove(member);
  }
}
