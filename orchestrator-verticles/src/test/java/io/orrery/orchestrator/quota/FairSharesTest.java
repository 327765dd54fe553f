package io.orrery.orchestrator.quota;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.access.ProjectName;
import io.orrery.core.quota.Amounts;
import io.orrery.core.quota.QuotaObject;
import io.orrery.core.quota.QuotaResource;
import io.orrery.core.quota.QuotaScope;
import io.orrery.orchestrator.quota.FairShares.Claim;
import io.orrery.orchestrator.quota.FairShares.Grant;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Shares of what all projects have together; {@code -Dorrery.fair.seed=N} repeats one schedule. */
class FairSharesTest {
  private static final ProjectName A = new ProjectName("a");
  private static final ProjectName B = new ProjectName("b");

  private static Amounts unit(long cpu, long memory) {
    return new Amounts(Map.of(QuotaResource.CPU, cpu, QuotaResource.MEMORY, memory));
  }

  private static Amounts trials(long number) {
    return Amounts.of(QuotaResource.TRIALS, number);
  }

  private static Claim claim(
      String name, ProjectName project, int priority, Amounts unit, int missing) {
    return new Claim(
        new QuotaObject("experiment", name),
        project,
        priority,
        unit,
        missing,
        QuotaScope.SERVER,
        Instant.EPOCH);
  }

  private static Grant grant(String name, int units) {
    return new Grant(new QuotaObject("experiment", name), units);
  }

  private static FairShares four(Map<ProjectName, Amounts> used) {
    return new FairShares(Map.of(QuotaResource.TRIALS, 4L), used);
  }

  /** Section 4.1 of the paper: 9 cores and 18 GB; A wants 1 and 4 for a task, B wants 3 and 1. */
  @Test
  void theExampleOfThePaperIsDividedAsThere() {
    FairShares fair =
        new FairShares(Map.of(QuotaResource.CPU, 9L, QuotaResource.MEMORY, 18L), Map.of());
    FairShares.Plan plan =
        fair.plan(List.of(claim("a", A, 50, unit(1, 4), 9), claim("b", B, 50, unit(3, 1), 9)), 9);

    assertThat(plan.grants()).containsExactlyInAnyOrder(grant("a", 3), grant("b", 2));
  }

  @Test
  void theProjectWithLessGetsMoreUntilBothHaveAsMuch() {
    assertThat(
            four(Map.of(A, trials(1)))
                .plan(List.of(claim("a", A, 50, trials(1), 9), claim("b", B, 50, trials(1), 9)), 9)
                .grants())
        .containsExactly(grant("b", 2), grant("a", 1));
  }

  @Test
  void aHigherPriorityComesBeforeFairness() {
    FairShares.Plan plan =
        four(Map.of(A, trials(1)))
            .plan(
                List.of(
                    claim("b", B, 50, trials(1), 1),
                    claim("low", A, 50, trials(1), 9),
                    claim("high", A, 60, trials(1), 2)),
                9);

    assertThat(plan.grants()).containsExactly(grant("high", 2), grant("b", 1));
    assertThat(plan.order()).containsExactly(new QuotaObject("experiment", "low"));
  }

  @Test
  void whoCameFirstIsFirstInAProjectAndPlacesAreByTurns() {
    FairShares.Plan plan =
        four(Map.of(A, trials(2)))
            .plan(
                List.of(
                    claim("a1", A, 50, trials(1), 1),
                    claim("a2", A, 50, trials(1), 1),
                    claim("a3", A, 50, trials(1), 1),
                    claim("b1", B, 50, trials(1), 3)),
                9);

    assertThat(plan.grants()).containsExactly(grant("b1", 2));
    assertThat(plan.order())
        .extracting(each -> each == null ? "" : each.name())
        .containsExactly("a1", "b1", "a2", "a3");
  }

  @Test
  void whoIsNextAndDoesNotFitKeepsItsPlaceFree() {
    FairShares.Plan plan =
        four(Map.of(A, trials(2)))
            .plan(List.of(claim("a", A, 50, trials(1), 9), claim("b", B, 50, trials(3), 1)), 9);

    assertThat(plan.grants()).isEmpty();
    assertThat(plan.order())
        .extracting(each -> each == null ? "" : each.name())
        .containsExactly("b", "a");
  }

  @Test
  void aRequestThatNeverFitsHoldsUpNoOther() {
    assertThat(
            four(Map.of())
                .plan(List.of(claim("b", B, 50, trials(5), 1), claim("a", A, 50, trials(1), 9)), 9)
                .grants())
        .containsExactly(grant("a", 4));
  }

  @Test
  void whoHasLessIsGivenWayToAndNoOther() {
    List<Claim> waits = List.of(claim("b", B, 50, trials(1), 1));
    assertThat(four(Map.of(A, trials(4))).givesWay(A, 50, trials(1), waits)).isTrue();
    assertThat(four(Map.of(A, trials(4))).givesWay(A, 60, trials(1), waits)).isFalse();
    assertThat(four(Map.of(A, trials(4))).givesWay(A, 50, unit(1, 1), waits)).isFalse();
    assertThat(four(Map.of(A, trials(2), B, trials(2))).givesWay(A, 50, trials(1), waits))
        .isFalse();
    assertThat(four(Map.of(A, trials(3))).givesWay(A, 50, trials(1), waits))
        .as("there is room")
        .isFalse();
    assertThat(
            four(Map.of(B, trials(4)))
                .givesWay(B, 50, trials(1), List.of(claim("b", B, 51, trials(1), 1))))
        .as("a higher priority of the same project")
        .isTrue();
  }

  static LongStream seeds() {
    Long one = Long.getLong("orrery.fair.seed");
    return one == null ? LongStream.range(0, 200) : LongStream.of(one);
  }

  /** An experiment that always wants more. */
  private static final class Search {
    final QuotaObject object;
    final ProjectName project;
    final Amounts unit;
    int running;
    int lastStart;
    int served;

    Search(QuotaObject object, ProjectName project, Amounts unit) {
      this.object = object;
      this.project = project;
      this.unit = unit;
    }
  }

  /** Projects of which each wants more than there is, and whose tasks end one after the other. */
  private static final class World {
    final Map<QuotaResource, Long> limits = new EnumMap<>(QuotaResource.class);
    final List<Search> searches = new ArrayList<>();
    final Deque<Search> running = new ArrayDeque<>();
    final Set<Search> waiting = new LinkedHashSet<>();
    int ended;

    World(Random random) {
      for (QuotaResource each :
          List.of(QuotaResource.CPU, QuotaResource.MEMORY, QuotaResource.GPU)) {
        limits.put(each, 6L + random.nextInt(30));
      }
      int projects = 2 + random.nextInt(4);
      for (int i = 0; i < projects; i++) {
        Map<QuotaResource, Long> unit = new EnumMap<>(QuotaResource.class);
        unit.put(QuotaResource.CPU, 1L + random.nextInt(6));
        unit.put(QuotaResource.MEMORY, 1L + random.nextInt(6));
        unit.put(QuotaResource.GPU, (long) random.nextInt(3));
        Search search =
            new Search(
                new QuotaObject("experiment", "e" + i),
                new ProjectName("p" + i),
                new Amounts(unit));
        searches.add(search);
      }
    }

    FairShares fair() {
      Map<ProjectName, Amounts> used = new HashMap<>();
      searches.forEach(
          each -> used.merge(each.project, each.unit.times(each.running), Amounts::plus));
      return new FairShares(limits, used);
    }

    List<Claim> claims() {
      return waiting.stream()
          .map(each ->
              new Claim(
                  each.object,
                  each.project,
                  50,
                  each.unit,
                  1_000,
                  QuotaScope.SERVER,
                  Instant.ofEpochSecond(each.served)))
          .toList();
    }

    void serve() {
      for (Grant grant : fair().plan(claims(), 20).grants()) {
        Search search =
            searches.stream()
                .filter(each -> each.object.equals(grant.object()))
                .findFirst()
                .orElseThrow();
        for (int i = 0; i < grant.units(); i++) {
          search.running++;
          search.lastStart = ended;
          search.served = ended;
          running.add(search);
        }
      }
    }

    /** The task that has run longest ends; its search starts another one, or gives way. */
    void end() {
      Search search = running.remove();
      ended++;
      if (fair().givesWay(search.project, 50, search.unit, claims())) {
        search.running--;
        serve();
      } else {
        search.lastStart = ended;
        running.add(search);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void noProjectStarvesAndSharesBecomeEqual(long seed) {
    Random random = new Random(seed);
    World world = new World(random);
    // They come one after the other: the first has all there is.
    for (Search search : world.searches) {
      world.waiting.add(search);
      world.serve();
      for (int i = random.nextInt(5); i > 0; i--) {
        world.end();
      }
    }
    for (int i = 0; i < 2_000; i++) {
      world.end();
      check(world, seed);
    }
    FairShares fair = world.fair();
    for (Search poor : world.searches) {
      for (Search rich : world.searches) {
        boolean sharesWhatItLacks =
            fair.givesWay(
                rich.project,
                49, // Whatever its share is.
                rich.unit,
                List.of(
                    new Claim(
                        poor.object,
                        poor.project,
                        50,
                        poor.unit,
                        1,
                        QuotaScope.SERVER,
                        Instant.EPOCH)));
        if (sharesWhatItLacks) {
          assertThat(share(fair, rich, -1))
              .as("seed %d: %s against %s", seed, rich.project, poor.project)
              .isLessThanOrEqualTo(share(fair, poor, 1) + 1e-9);
        }
      }
    }
  }

  private static double share(FairShares fair, Search search, int more) {
    return fair.share(search.unit.times(Math.max(0, search.running + more)));
  }

  private static void check(World world, long seed) {
    world.limits.forEach((resource, limit) -> {
      long used =
          world.searches.stream().mapToLong(each -> each.unit.get(resource) * each.running).sum();
      assertThat(used).as("seed %d, %s", seed, resource).isLessThanOrEqualTo(limit);
    });
    for (Search each : world.searches) {
      assertThat(world.ended - each.lastStart)
          .as("seed %d: tasks that ended since %s started one", seed, each.project)
          .isLessThan(200);
    }
  }

  @Test
  void tenThousandThatWaitAreOrderedInMilliseconds() {
    List<Claim> claims = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      claims.add(claim("e" + i, new ProjectName("p" + i % 50), 50, trials(1), 3));
    }
    FairShares fair = four(Map.of(A, trials(3)));
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 50; i++) {
      long began = System.nanoTime();
      assertThat(fair.plan(claims, 20).grants()).hasSize(1);
      least = Math.min(least, System.nanoTime() - began);
    }
    System.out.printf("a plan of 10,000 claims takes %d µs%n", least / 1_000);
    assertThat(least).isLessThan(50_000_000L);
  }
}
