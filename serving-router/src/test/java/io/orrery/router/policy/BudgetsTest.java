package io.orrery.router.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.router.route.Limits;
import io.orrery.router.route.RequestKey;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests the bounds of retries and clients. */
class BudgetsTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void inAnOutageRetriesAreAFifthOfTheRequests() {
    AttemptBudget budget = AttemptBudget.ofRetries(0);
    int retries = 0;
    int requests = 100_000;
    for (int i = 0; i < requests; i++) {
      budget.deposit();
      // Every request fails, and every retry too: at 10,000 a second for ten seconds.
      if (budget.withdraw(i * SECOND / 10_000)) {
        retries++;
      }
    }
    assertThat(retries / (double) requests).isBetween(0.19, 0.21);
  }

  @Test
  void aQuietServiceMayRetryToo() {
    AttemptBudget budget = AttemptBudget.ofRetries(0);
    while (budget.withdraw(0)) {
      // Spends what it begins with.
    }
    assertThat(budget.withdraw(SECOND)).isTrue();
  }

  @Test
  void aClientHasItsRateAndNoMore() {
    Rates rates = new Rates();
    Limits.Rate rate = new Limits.Rate(10, Duration.ofSeconds(1), new RequestKey.Client());
    int passed = 0;
    for (int i = 0; i < 1_000; i++) {
      if (rates.take("s", "10.0.0.1", null, rate, false, i * SECOND / 100) == 0) {
        passed++;
      }
    }
    // Ten seconds at ten a second, and ten at once to begin with.
    assertThat(passed).isBetween(100, 110);
    assertThat(rates.take("s", "10.0.0.2", null, rate, false, 10 * SECOND)).isZero();
    assertThat(rates.take("t", "10.0.0.1", null, rate, false, 10 * SECOND)).isZero();
  }

  @Test
  void whoIsRefusedIsToldForHowLong() {
    Rates rates = new Rates();
    Limits.Rate rate = new Limits.Rate(1, Duration.ofMinutes(1), new RequestKey.Client());
    assertThat(rates.take("s", "c", null, rate, false, 0)).isZero();
    assertThat(rates.take("s", "c", null, rate, false, 0)).isEqualTo(60 * SECOND);
    assertThat(rates.take("s", "c", null, rate, false, 60 * SECOND)).isZero();
  }

  @Test
  void aClientWithKeysWithoutEndTakesNoAllowanceOfOthers() {
    Rates rates = new Rates();
    Limits.Rate rate = new Limits.Rate(1, Duration.ofHours(1), new RequestKey.Header("x-key"));
    assertThat(rates.take("s", "10.0.0.1", "k", rate, false, 0)).isZero();
    assertThat(rates.take("s", "10.0.0.2", null, rate, false, 0)).isZero();

    for (int i = 0; i < Rates.MOST + 100; i++) {
      rates.take("s", "10.0.0.3", "made-up-" + i, rate, false, 0);
    }

    assertThat(rates.take("s", "10.0.0.1", "k", rate, false, 0)).isPositive();
    assertThat(rates.take("s", "10.0.0.2", null, rate, false, 0)).isPositive();
    assertThat(rates.take("s", "10.0.0.3", "one-more", rate, false, 0))
        .as("its client")
        .isPositive();
    assertThat(rates.take("s", "10.0.0.4", "new", rate, false, 0)).as("its client").isZero();
    assertThat(rates.take("s", "10.0.0.4", "new", rate, false, 4_000 * SECOND)).isZero();
    assertThat(rates.take("s", "10.0.0.4", "newer", rate, false, 4_000 * SECOND)).isZero();
  }
}
