package io.orrery.compute.hybrid;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.compute.service.Room;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.time.VirtualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PlatformStatsTest {
  private static final Function<MemberPlatform, Room> UNKNOWN_ROOM = member -> Room.UNKNOWN;

  private final VirtualClock clock = new VirtualClock(Instant.EPOCH);
  private int trials;

  private AttemptRef attempt() {
    return new AttemptRef(new TrialRef(new ExperimentId("fleet"), new TrialId("t" + trials++)), 1);
  }

  private static MemberPlatform member(String name, double weight, @Nullable Integer capacity) {
    return new MemberPlatform(name, weight, capacity, "local", Map.of());
  }

  private PlatformStats fleet(MemberPlatform... members) {
    return new PlatformStats(List.of(members), clock);
  }

  private static String chosen(PlatformChoice choice) {
    return choice.chosen() == null ? "" : choice.chosen().name();
  }

  @Test
  void equalsFillUpByTheirWeights() {
    PlatformStats fleet = fleet(member("small", 1, null), member("big", 3, null));
    Map<String, Integer> counts = new HashMap<>();

    for (int i = 0; i < 400; i++) {
      counts.merge(chosen(fleet.choose(attempt(), UNKNOWN_ROOM)), 1, Integer::sum);
    }

    assertThat(counts).containsEntry("small", 100).containsEntry("big", 300);
  }

  @Test
  void whereTrialsStartTenTimesLaterGetsATenth() {
    PlatformStats fleet = fleet(member("quick", 1, null), member("slow", 1, null));
    AttemptRef first = attempt();
    AttemptRef second = attempt();
    fleet.choose(first, UNKNOWN_ROOM);
    fleet.choose(second, UNKNOWN_ROOM);
    clock.advance(Duration.ofSeconds(1));
    fleet.started(first);
    clock.advance(Duration.ofSeconds(9));
    fleet.started(second);
    fleet.left(first);
    fleet.left(second);
    Map<String, Integer> counts = new HashMap<>();

    for (int i = 0; i < 110; i++) {
      counts.merge(chosen(fleet.choose(attempt(), UNKNOWN_ROOM)), 1, Integer::sum);
    }

    assertThat(counts).containsEntry("quick", 100).containsEntry("slow", 10);
  }

  @Test
  void theChoiceIsExplainedWhenItHasStarted() {
    PlatformStats fleet = fleet(member("here", 1, 2), member("there", 2, null));
    fleet.setAside("there", "is out of order", Duration.ofMinutes(1));
    AttemptRef attempt = attempt();
    fleet.choose(attempt, UNKNOWN_ROOM);

    assertThat(fleet.started(attempt))
        .isEqualTo("runs on here: here has 0 and room for 2; there is out of order");
    assertThat(fleet.started(attempt)).as("told once").isNull();
  }

  @Test
  void oneThatIsAsideIsBackWhenItsTimeIsOver() {
    PlatformStats fleet = fleet(member("here", 1, 1), member("there", 1, null));
    fleet.setAside("there", "is out of order", Duration.ofMinutes(1));

    assertThat(chosen(fleet.choose(attempt(), UNKNOWN_ROOM))).isEqualTo("here");
    assertThat(fleet.choose(attempt(), UNKNOWN_ROOM).why())
        .isEqualTo("here is full with 1; there is out of order");
    clock.advance(Duration.ofMinutes(1));
    assertThat(chosen(fleet.choose(attempt(), UNKNOWN_ROOM))).isEqualTo("there");
  }

  @Test
  void oneThatIsNotReadyStaysAsideUntilItIsTakenBack() {
    PlatformStats fleet = fleet(member("here", 1, 1), member("there", 1, null));
    fleet.setAside("there", "is being prepared");
    clock.advance(Duration.ofDays(10_000));

    assertThat(chosen(fleet.choose(attempt(), UNKNOWN_ROOM))).isEqualTo("here");
    assertThat(fleet.choose(attempt(), UNKNOWN_ROOM).why()).endsWith("there is being prepared");
    fleet.takeBack("there");
    assertThat(chosen(fleet.choose(attempt(), UNKNOWN_ROOM))).isEqualTo("there");
  }

  /**
   * Whatever comes and goes, no platform has more than its capacity, and none waits beside room.
   */
  @Test
  void noCapacityIsEverExceededAndNoRoomIsLeftUnused() {
    for (int seed = 0; seed < 50; seed++) {
      Random random = new Random(seed);
      Map<String, Integer> capacities = Map.of("a", 1, "b", 3, "c", 5);
      PlatformStats fleet =
          fleet(member("a", 1, 1), member("b", 0.5, 3), member("c", random.nextDouble() + 0.1, 5));
      Map<AttemptRef, String> there = new HashMap<>();
      for (int step = 0; step < 300; step++) {
        if (!there.isEmpty() && random.nextInt(3) == 0) {
          AttemptRef gone = new ArrayList<>(there.keySet()).get(random.nextInt(there.size()));
          assertThat(fleet.left(gone)).isTrue();
          assertThat(fleet.left(gone)).isFalse();
          there.remove(gone);
          continue;
        }
        AttemptRef attempt = attempt();
        PlatformChoice choice = fleet.choose(attempt, UNKNOWN_ROOM);
        assertThat(choice.chosen() == null).isEqualTo(there.size() == 9);
        if (choice.chosen() != null) {
          there.put(attempt, chosen(choice));
        }
        capacities.forEach((name, most) ->
            assertThat(there.values().stream().filter(name::equals).count())
                .isLessThanOrEqualTo(most));
      }
    }
  }

  @Test
  void whatAPlatformSaysOfItsRoomCounts() {
    PlatformStats fleet =
        fleet(member("full", 9, 4), member("away", 9, null), member("free", 1, null));

    PlatformChoice choice =
        fleet.choose(
            attempt(),
            member ->
                switch (member.name()) {
                  case "full" -> Room.of(0);
                  case "away" -> Room.absent("cannot be reached");
                  default -> Room.of(1);
                });

    assertThat(choice.why())
        .isEqualTo(
            "runs on free: free has 0 and room for 1; full is full with 0; away cannot be reached");
  }
}
