package io.orrery.router.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.orrery.core.bus.contract.Routes.RateCount;
import io.orrery.router.route.Limits;
import io.orrery.router.route.RequestKey;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests how exactly several router processes keep a rate together. */
class RateExchangeTest {
  private static final long MILLI = 1_000_000L;
  private static final Limits.Rate HUNDRED =
      new Limits.Rate(100, Duration.ofSeconds(1), new RequestKey.Client());

  private long now;

  /** A router process, which tells the others once a second. */
  private final class Process {
    private final Rates rates = new Rates();
    private final RateExchange exchange = new RateExchange(rates, () -> now);
    private final int phase;
    private final double perMilli;
    private long admitted;
    private long refused;

    Process(int phase, double perSecond) {
      this.phase = phase;
      this.perMilli = perSecond / 1_000;
    }

    void ask(Limits.Rate rate) {
      if (rates.take("s", "192.0.2.1", null, rate, true, now) == 0) {
        admitted++;
      } else {
        refused++;
      }
    }
  }

  private record Message(long due, Process from, List<RateCount> counts) {}

  private final List<Process> all = new ArrayList<>();
  private final ArrayDeque<Message> messages = new ArrayDeque<>();
  private final SplittableRandom random = new SplittableRandom(7);
  private int millis;

  private void processes(double... perSecond) {
    for (double demand : perSecond) {
      all.add(new Process(random.nextInt(1_000), demand));
    }
  }

  private long admitted() {
    return all.stream().mapToLong(each -> each.admitted).sum();
  }

  private void pass(int seconds, Limits.Rate rate) {
    pass(seconds, rate, () -> {});
  }

  private void pass(int seconds, Limits.Rate rate, Runnable each) {
    for (int end = millis + seconds * 1_000; millis < end; millis++) {
      now = millis * MILLI;
      while (!messages.isEmpty() && messages.peekFirst().due() <= now) {
        Message message = messages.removeFirst();
        for (Process process : all) {
          if (process != message.from()) {
            process.exchange.hear("p" + all.indexOf(message.from()), message.counts());
          }
        }
      }
      for (Process process : all) {
        if (millis % 1_000 == process.phase) {
          messages.addLast(new Message(now + 50 * MILLI, process, process.exchange.exchange()));
        }
        double expected = process.perMilli;
        for (; expected >= 1; expected--) {
          process.ask(rate);
        }
        if (random.nextDouble() < expected) {
          process.ask(rate);
        }
      }
      each.run();
    }
  }

  @Test
  void togetherTheyLetInTheRateAndEachInProportion() {
    processes(300, 100, 200);
    pass(20, HUNDRED);
    long before = admitted();
    List<Long> each = all.stream().map(process -> process.admitted).toList();

    pass(60, HUNDRED);

    assertThat((double) (admitted() - before)).isCloseTo(6_000, within(120.0));
    assertThat((double) all.get(0).admitted - each.get(0)).isCloseTo(3_000, within(600.0));
    assertThat((double) all.get(1).admitted - each.get(1)).isCloseTo(1_000, within(300.0));
    assertThat((double) all.get(2).admitted - each.get(2)).isCloseTo(2_000, within(400.0));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void theyNeverExceedItByMoreThanTwoSecondsOfTheOthers(long seed) {
    SplittableRandom demands = new SplittableRandom(seed);
    int processes = demands.nextInt(2, 6);
    for (int i = 0; i < processes; i++) {
      processes(demands.nextDouble(0, 400));
    }
    int[] from = {0};
    // A burst here and there: at each moment one of them gets twice the rate in addition.
    pass(
        60,
        HUNDRED,
        () -> {
          if (millis % 1_500 == 0) {
            from[0] = demands.nextInt(processes);
          }
          if (millis % 5 == 0) {
            all.get(from[0]).ask(HUNDRED);
          }
          double most = 100 + 100 * (millis + 1) / 1_000.0 + (processes - 1) * (100 + 2 * 100);
          assertThat((double) admitted()).isLessThanOrEqualTo(most);
        });
  }

  @Test
  void belowTheRateNothingIsRefused() {
    processes(50, 20);

    pass(60, HUNDRED);

    assertThat(all.stream().mapToLong(each -> each.refused).sum()).isZero();
  }

  @Test
  void oneToWhomNoneComesLeavesTheRateToTheOthers() {
    processes(400, 0, 0);
    pass(20, HUNDRED);
    long before = admitted();

    pass(20, HUNDRED);

    assertThat((double) (admitted() - before)).isCloseTo(2_000, within(20.0));
  }

  @Test
  void oneThatIsGoneLeavesTheRateToTheOthers() {
    processes(300, 300);
    pass(20, HUNDRED);
    all.removeLast();
    pass(5, HUNDRED);
    long before = admitted();

    pass(20, HUNDRED);

    assertThat((double) (admitted() - before)).isCloseTo(2_000, within(20.0));
  }

  @Test
  void anAllowanceOfAnHourIsSpentOnceByAll() {
    Limits.Rate hourly = new Limits.Rate(20, Duration.ofHours(1), new RequestKey.Client());
    processes(1, 1, 1);

    pass(600, hourly);

    // Twenty at once, 3.3 in ten minutes, and what came to the others before they had heard.
    assertThat(admitted()).isBetween(18L, 29L);
  }

  @Test
  void aServiceThatIsNotSharedIsTheAffairOfItsProcess() {
    processes(0);
    RateExchange exchange = all.getFirst().exchange;
    exchange.exchange();
    all.getFirst().rates.take("own", "c", null, HUNDRED, false, now);
    assertThat(exchange.exchange()).isEmpty();

    all.getFirst().rates.take("ours", "c", "key", HUNDRED, true, now);
    all.getFirst().rates.take("ours", "c", "key", HUNDRED, true, now);
    assertThat(exchange.exchange())
        .containsExactly(new RateCount("ours", "key", true, 2, 2, 10 * MILLI));
    assertThat(exchange.exchange()).isEmpty();
  }

  @Test
  void ofManyTheHeaviestAreToldFirstAndTheOthersLater() {
    processes(0);
    Rates rates = all.getFirst().rates;
    RateExchange exchange = all.getFirst().exchange;
    exchange.exchange();
    for (int i = 0; i < RateExchange.MOST + 10; i++) {
      rates.take("s", "c" + i, null, HUNDRED, true, now);
    }
    for (int i = 0; i < 5; i++) {
      rates.take("s", "heavy", null, HUNDRED, true, now);
    }

    List<RateCount> first = exchange.exchange();
    assertThat(first).hasSize(RateExchange.MOST);
    assertThat(first).anyMatch(count -> count.payer().equals("heavy") && count.asked() == 5);
    assertThat(exchange.exchange()).hasSize(11).allMatch(count -> count.asked() == 1);
    assertThat(exchange.exchange()).isEmpty();
  }

  @Test
  void whatIsOverIsForgotten() {
    processes(0);
    Rates rates = all.getFirst().rates;
    all.getFirst().exchange.exchange();
    rates.take("s", "c", null, HUNDRED, true, now);
    Rates.Payer payer = new Rates.Payer("s", "c", false);
    now = 20 * MILLI;
    rates.forget(now);
    assertThat(rates.find(payer)).as("not told yet").isNotNull();

    all.getFirst().exchange.exchange();
    now += 20 * MILLI;
    rates.forget(now);
    assertThat(rates.find(payer)).isNull();
    rates.take("s", "c", null, HUNDRED, true, now);
    now += 70_000 * MILLI;
    rates.forget(now);
    assertThat(rates.find(payer)).as("it was never told").isNull();
  }
}
