package io.orrery.router.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.route.LatencyBuckets;
import io.orrery.router.route.Hedge;
import io.orrery.router.route.Hedge.Delay;
import io.orrery.router.telemetry.Meters;
import java.time.Duration;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests when a request may be sent to a second endpoint as well. */
class HedgeRuleTest {
  private static final long SECOND = 1_000_000_000L;
  private static final Delay P95 = new Delay.Quantile(0.95);

  private final long[] counters = new long[LatencyBuckets.boundsMicros().size() + 1];

  private HedgeRule rule(Delay after, double budget) {
    return new HedgeRule(new Hedge(after, budget, Set.of("GET", "POST")), counters::clone, 0);
  }

  /** Counts answers that took up to so many milliseconds. */
  private void answer(int millis, int times) {
    counters[LatencyBuckets.boundsMicros().indexOf(millis * 1_000L)] += times;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void hedgesNeverExceedTheirShareOfTheRequests(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double share = random.nextDouble(0.001, 1);
    HedgeRule rule = rule(new Delay.Fixed(Duration.ofMillis(1)), share);
    long requests = 0;
    long hedges = 0;
    for (int i = 0; i < 50_000; i++) {
      // Bursts of requests and bursts of slow ones, in any order.
      if (random.nextInt(3) > 0) {
        rule.deposit();
        requests++;
      } else if (rule.withdraw(i * SECOND)) {
        hedges++;
      }
      assertThat(hedges).isLessThanOrEqualTo((long) (share * requests + 1e-6));
    }
    // There is a slow one for every two requests, so a share below that is used up.
    assertThat(hedges).isGreaterThanOrEqualTo((long) (Math.min(share, 0.4) * requests * 0.99) - 10);
  }

  @Test
  void aQuietTimeSavesUpNoMoreThanABurst() {
    HedgeRule rule = rule(new Delay.Fixed(Duration.ofMillis(1)), 0.5);
    for (int i = 0; i < 1_000; i++) {
      rule.deposit();
    }

    int hedges = 0;
    while (rule.withdraw(1_000 * SECOND)) {
      hedges++;
    }

    assertThat(hedges).isEqualTo((int) AttemptBudget.MOST_HEDGES);
    rule.giveBack();
    assertThat(rule.withdraw(1_000 * SECOND)).isTrue();
    assertThat(rule.withdraw(2_000 * SECOND)).as("time alone allows none").isFalse();
  }

  @Test
  void onlyTheMethodsOfTheRuleAreHedged() {
    HedgeRule rule = rule(P95, 0.05);

    assertThat(rule.takes("GET")).isTrue();
    assertThat(rule.takes("POST")).isTrue();
    assertThat(rule.takes("PUT")).isFalse();
    assertThat(rule.takes("get")).isFalse();
  }

  @Test
  void aFixedTimeNeedsNoAnswers() {
    assertThat(rule(new Delay.Fixed(Duration.ofMillis(50)), 0.05).delay(0)).isEqualTo(50_000_000);
  }

  @Test
  void aPercentileIsUnknownUntilThereAreEnoughAnswers() {
    HedgeRule rule = rule(P95, 0.05);
    answer(10, 99);
    assertThat(rule.delay(0)).isEqualTo(HedgeRule.UNKNOWN);
    answer(10, 1);
    assertThat(rule.delay(SECOND / 2)).as("looked at once a second").isEqualTo(HedgeRule.UNKNOWN);

    assertThat(rule.delay(SECOND)).isBetween(5_000_000L, 10_000_000L);
  }

  @Test
  void aPercentileIsThatOfTheSlowestPart() {
    HedgeRule rule = rule(P95, 0.05);
    answer(10, 940);
    answer(250, 60);

    assertThat(rule.delay(0)).isBetween(100_000_000L, 250_000_000L);
  }

  @Test
  void aPercentileForgetsHowItWasAMinuteAgo() {
    HedgeRule rule = rule(P95, 0.05);
    answer(1_000, 10_000);
    for (int second = 0; second < 90; second++) {
      answer(5, 10);
      rule.delay(second * SECOND);
    }

    assertThat(rule.delay(90 * SECOND)).isBetween(2_500_000L, 5_000_000L);
  }

  @Test
  void aPercentileOfLongAgoIsUnknown() {
    HedgeRule rule = rule(P95, 0.05);
    answer(10, 1_000);
    assertThat(rule.delay(0)).isPositive();

    assertThat(rule.delay(3_600 * SECOND)).isEqualTo(HedgeRule.UNKNOWN);
    answer(5, 100);
    assertThat(rule.delay(3_601 * SECOND)).isBetween(2_500_000L, 5_000_000L);
  }

  @Test
  void countersThatBeginAnewAreTakenAsTheyAre() {
    HedgeRule rule = rule(P95, 0.05);
    for (int second = 0; second < 90; second++) {
      answer(1_000, 100);
      rule.delay(second * SECOND);
    }
    counters[LatencyBuckets.boundsMicros().indexOf(1_000_000L)] = 0;
    answer(5, 200);

    assertThat(rule.delay(91 * SECOND)).isBetween(2_500_000L, 5_000_000L);
  }

  @Test
  void anotherRuleInTheTableBeginsWithItsOwnBudget() {
    HedgeRules rules = new HedgeRules(new Meters());
    Hedge before = new Hedge(P95, 1, Set.of("GET"));
    HedgeRule first = rules.of("a", "b", before, 0);
    first.deposit();

    assertThat(rules.of("a", "b", new Hedge(P95, 1, Set.of("GET")), 0)).isSameAs(first);
    assertThat(rules.of("a", "a", before, 0)).as("of another version").isNotSameAs(first);
    HedgeRule next = rules.of("a", "b", new Hedge(P95, 0.5, Set.of("GET")), 0);
    assertThat(next).isNotSameAs(first);
    assertThat(next.withdraw(0)).isFalse();
    rules.retain(Set.of("a"));
    assertThat(rules.of("a", "b", new Hedge(P95, 0.5, Set.of("GET")), 0)).isNotSameAs(next);
  }
}
