package io.orrery.router.policy;

import io.orrery.core.bus.contract.Routes.RateCount;
import io.orrery.router.policy.Rates.Payer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * An exchange in which router processes tell each other once a second of the requests under the
 * rates that they share. What others have let in is taken from the allowance here, so that over
 * time all together let in no more than the rate; and a process lets in its part of it beforehand,
 * in proportion to the requests that came to each lately. Called by one thread at a time, which may
 * block.
 */
public final class RateExchange {
  /** The clients and keys that are told of at once; the others a second later. */
  static final int MOST = 2_000;

  /** How long the last word of another process counts for the proportion. */
  private static final Duration FRESH = Duration.ofSeconds(3);

  /** More than others can have let in lately, nanoseconds. */
  private static final long MOST_TAKEN = Duration.ofDays(1).toNanos();

  private static final Comparator<RateCount> HEAVIEST =
      Comparator.comparingLong(RateCount::asked).reversed();

  private record Word(long at, Map<Payer, Long> asked) {}

  private final Rates rates;
  private final LongSupplier nanos;
  private final Map<String, Word> words = new HashMap<>();
  private final Map<Payer, Allowance.Others> heard = new HashMap<>();

  /** Those that came to others at the last exchange. */
  private Set<Payer> divided = Set.of();

  /**
   * @param nanos the clock by which the rates are counted
   */
  public RateExchange(Rates rates, LongSupplier nanos) {
    this.rates = rates;
    this.nanos = nanos;
  }

  /** Another process tells of its requests. */
  public synchronized void hear(String source, List<RateCount> counts) {
    Map<Payer, Long> asked = new HashMap<>();
    for (RateCount count : counts) {
      Payer payer = new Payer(count.service(), count.payer(), count.isKey());
      asked.put(payer, Math.max(0, count.asked()));
      Allowance.Others others =
          new Allowance.Others(
              times(count.admitted(), count.each()), times(count.asked(), count.each()));
      heard.merge(payer, others, Allowance.Others::plus);
    }
    words.put(source, new Word(nanos.getAsLong(), asked));
  }

  private static long times(long requests, long each) {
    if (requests <= 0 || each <= 0) {
      return 0;
    }
    return requests > MOST_TAKEN / each ? MOST_TAKEN : requests * each;
  }

  /**
   * Takes what was heard from the allowances.
   *
   * @return what came here since the last call, to be told to the others
   */
  public synchronized List<RateCount> exchange() {
    long now = nanos.getAsLong();
    words.values().removeIf(word -> now - word.at() > FRESH.toNanos());
    Map<Payer, Long> there = new HashMap<>();
    words.values().forEach(word -> word.asked().forEach((p, n) -> there.merge(p, n, Long::sum)));
    Set<Payer> due = new HashSet<>(there.keySet());
    due.addAll(divided);
    due.addAll(heard.keySet());
    List<RateCount> told = heaviest(rates.drainAsking());
    told.forEach(count -> due.add(new Payer(count.service(), count.payer(), count.isKey())));
    List<RateCount> exact = new ArrayList<>(told.size());
    for (Payer payer : due) {
      Long asked = there.get(payer);
      Allowance.Others others = heard.get(payer);
      if (others == null && asked == null) {
        others = Allowance.Others.NONE;
      }
      Allowance before = rates.settle(payer, asked == null ? 0 : asked, others, now);
      if (before != null && before.asked() > 0) {
        exact.add(count(payer, before));
      }
    }
    heard.clear();
    divided = there.keySet();
    return exact;
  }

  private List<RateCount> heaviest(Set<Payer> asking) {
    List<RateCount> all = new ArrayList<>();
    for (Payer payer : asking) {
      Allowance present = rates.find(payer);
      if (present != null) {
        all.add(count(payer, present));
      }
    }
    if (all.size() <= MOST) {
      return all;
    }
    all.sort(HEAVIEST);
    all.subList(MOST, all.size())
        .forEach(late -> rates.tellLater(new Payer(late.service(), late.payer(), late.isKey())));
    return all.subList(0, MOST);
  }

  private static RateCount count(Payer payer, Allowance of) {
    return new RateCount(
        payer.service(), payer.name(), payer.isKey(), of.asked(), of.admitted(), of.each());
  }
}
