package io.orrery.router.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PickerTest {
  private static final Balance LEAST = new Balance.LeastRequests();
  private static final Balance ROUND = new Balance.RoundRobin();
  private static final Balance HASH =
      new Balance.Hash(new RequestKey.Client(), Double.POSITIVE_INFINITY);
  private static final Balance BOUNDED = new Balance.Hash(new RequestKey.Client(), 1.25);
  private static final Balance CHEAP = new Balance.LeastCost(new RequestCost("x-tokens"));

  private final Picker picker = new Picker(new SplittableRandom(7));
  private final List<Backend> backends =
      new ArrayList<>(IntStream.range(0, 10).mapToObj(Backend::new).toList());

  static List<Balance> all() {
    return List.of(LEAST, ROUND, HASH, BOUNDED, CHEAP);
  }

  @ParameterizedTest
  @MethodSource("all")
  void onlyAvailableOnesAreChosen(Balance balance) {
    backends.forEach(backend -> backend.available = backend.id == 3);
    for (int i = 0; i < 100; i++) {
      assertThat(picker.pick(backends, balance, "k" + i, null).id).isEqualTo(3);
    }
    backends.get(3).available = false;
    assertThat(picker.pick(backends, balance, "k", null)).isNull();
    assertThat(picker.pick(List.<Backend>of(), balance, "k", null)).isNull();
  }

  @ParameterizedTest
  @MethodSource("all")
  void oneThatHasJustFailedIsTakenOnlyWhenThereIsNoOther(Balance balance) {
    Backend failed = backends.get(4);
    for (int i = 0; i < 1_000; i++) {
      assertThat(picker.pick(backends, balance, "k" + i, failed)).isNotEqualTo(failed);
    }
    backends.forEach(backend -> backend.available = backend == failed);
    assertThat(picker.pick(backends, balance, "k", failed)).isEqualTo(failed);
  }

  @Test
  void twoChoicesKeepTheLoadEven() {
    for (int i = 0; i < 10_000; i++) {
      picker.pick(backends, LEAST, null, null).outstanding++;
    }
    assertThat(backends)
        .allSatisfy(backend -> assertThat(backend.outstanding).isBetween(980, 1_020));
  }

  @Test
  void roundRobinGivesEveryoneTheSame() {
    Map<Integer, Integer> counts = counts(ROUND, 1_000);
    assertThat(counts.values()).containsOnly(100);
  }

  @Test
  void anEndpointInSlowStartGetsLess() {
    backends.getFirst().warmth = 0.1;
    assertThat(counts(ROUND, 10_000).get(0)).isBetween(60, 160);
    for (int i = 0; i < 10_000; i++) {
      picker.pick(backends, LEAST, null, null).outstanding++;
    }
    assertThat(backends.getFirst().outstanding).isLessThan(300);
  }

  @Test
  void theSameKeyStaysAndOnlyTheKeysOfOneThatGoesMove() {
    Map<String, Integer> before = owners();
    backends.remove(5);
    Map<String, Integer> after = owners();

    long moved =
        before.entrySet().stream()
            .filter(entry -> !after.get(entry.getKey()).equals(entry.getValue()))
            .peek(entry -> assertThat(entry.getValue()).isEqualTo(5))
            .count();
    assertThat(moved / 10_000.0).isCloseTo(0.1, within(0.02));
  }

  @Test
  void twoChoicesKeepTheCostEven() {
    SplittableRandom costs = new SplittableRandom(8);
    long sum = 0;
    for (int i = 0; i < 10_000; i++) {
      int cost = i % 100 == 0 ? 10_000 : costs.nextInt(100);
      sum += cost;
      picker.pick(backends, CHEAP, null, null).cost += cost;
    }
    double mean = sum / 10.0;
    assertThat(backends).allSatisfy(each -> assertThat(each.cost / mean).isBetween(0.9, 1.1));
  }

  /** Mirrokni, Thorup and Zadimoghaddam, 2018: no endpoint has more than its bound. */
  @ParameterizedTest
  @ValueSource(doubles = {1, 1.25, 2, 10})
  void aKeyThatManyAskForIsSpreadWithinItsBound(double maxLoad) {
    Balance bounded = new Balance.Hash(new RequestKey.Client(), maxLoad);
    for (int i = 1; i <= 2_000; i++) {
      String key = i % 2 == 0 ? "loved" : "user" + i;
      picker.pick(backends, bounded, key, null).outstanding++;
      double bound = Math.ceil(maxLoad * i / backends.size());
      assertThat(backends)
          .allSatisfy(each -> assertThat(each.outstanding).isLessThan((int) bound + 1));
    }
    if (maxLoad == 10) {
      assertThat(backends).anySatisfy(each -> assertThat(each.outstanding).isGreaterThan(1_000));
    }
  }

  /**
   * A key goes to its own endpoint while that has room, and to the same other one when it has not.
   */
  @Test
  void aKeyComesBackToItsEndpointWhenThatHasRoom() {
    Backend own = picker.pick(backends, HASH, "k", null);
    assertThat(picker.pick(backends, BOUNDED, "k", null)).isEqualTo(own);
    own.outstanding = 5;
    Backend next = picker.pick(backends, BOUNDED, "k", null);
    assertThat(next).isNotEqualTo(own);
    assertThat(picker.pick(backends, BOUNDED, "k", null)).isEqualTo(next);
    assertThat(picker.pick(backends, HASH, "k", own)).isEqualTo(next);
    own.outstanding = 0;
    assertThat(picker.pick(backends, BOUNDED, "k", null)).isEqualTo(own);
  }

  private Map<String, Integer> owners() {
    Map<String, Integer> owners = new HashMap<>();
    for (int i = 0; i < 10_000; i++) {
      owners.put("user" + i, picker.pick(backends, HASH, "user" + i, null).id);
    }
    return owners;
  }

  private Map<Integer, Integer> counts(Balance balance, int picks) {
    Map<Integer, Integer> counts = new HashMap<>();
    for (int i = 0; i < picks; i++) {
      counts.merge(picker.pick(backends, balance, null, null).id, 1, Integer::sum);
    }
    return counts;
  }

  private static final class Backend implements Candidate {
    private final int id;
    private boolean available = true;
    private int outstanding;
    private long cost;
    private double warmth = 1;

    Backend(int id) {
      this.id = id;
    }

    @Override
    public boolean available() {
      return available;
    }

    @Override
    public int outstanding() {
      return outstanding;
    }

    @Override
    public long cost() {
      return cost;
    }

    @Override
    public double warmth() {
      return warmth;
    }

    @Override
    public long identity() {
      return id * 0x9E3779B97F4A7C15L;
    }
  }
}
