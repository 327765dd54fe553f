package io.orrery.router.route;

import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Chooses an endpoint. Lives on one event loop.
 *
 * <p>Two random choices come within a constant of the least loaded of all, without looking at all
 * of them (Mitzenmacher, "The Power of Two Choices in Randomized Load Balancing", 2001). Rendezvous
 * hashing moves only the keys of an endpoint that went (Thaler and Ravishankar, 1998); a bound on
 * the load of each keeps a key that many ask for from crowding its endpoint (Mirrokni, Thorup and
 * Zadimoghaddam, "Consistent Hashing with Bounded Loads", 2018).
 */
public final class Picker {
  /** Looks at random for one that is available before it looks at all. */
  private static final int LUCK = 4;

  /** The bound of a hash that has none: nothing has to be counted. */
  private static final double UNBOUNDED = Double.POSITIVE_INFINITY;

  private final RandomGenerator random;
  private int turn;

  public Picker(RandomGenerator random) {
    this.random = random;
  }

  /**
   * The next endpoint.
   *
   * @param key of the request, for hashing; null draws
   * @param avoid one that has just failed, taken only when there is no other
   * @return null when none is available
   */
  public <C extends Candidate> @Nullable C pick(
      List<C> all, Balance balance, @Nullable String key, @Nullable C avoid) {
    C found =
        switch (balance) {
          case Balance.LeastRequests _, Balance.LeastCost _ -> lessLoaded(all, avoid);
          case Balance.RoundRobin _ -> next(all, avoid);
          case Balance.Hash(RequestKey _, double maxLoad) ->
              key == null
                  ? lessLoaded(all, avoid)
                  : maxLoad == UNBOUNDED
                      ? owner(all, key, avoid, UNBOUNDED)
                      : bounded(all, key, avoid, maxLoad);
        };
    return found == null && avoid != null && avoid.available() ? avoid : found;
  }

  private <C extends Candidate> @Nullable C lessLoaded(List<C> all, @Nullable C avoid) {
    C first = draw(all, avoid, null);
    if (first == null || all.size() == 1) {
      return first;
    }
    C second = draw(all, avoid, first);
    return second != null && load(second) < load(first) ? second : first;
  }

  private static double load(Candidate candidate) {
    return (candidate.outstanding() + candidate.cost() + 1) / candidate.warmth();
  }

  /** Any one that is available, other than two. */
  private <C extends Candidate> @Nullable C draw(
      List<C> all, @Nullable C avoid, @Nullable C taken) {
    int size = all.size();
    if (size == 0) {
      return null;
    }
    for (int i = 0; i < LUCK; i++) {
      C candidate = all.get(random.nextInt(size));
      if (!candidate.equals(avoid) && !candidate.equals(taken) && candidate.available()) {
        return candidate;
      }
    }
    int start = random.nextInt(size);
    for (int i = 0; i < size; i++) {
      C candidate = all.get((start + i) % size);
      if (!candidate.equals(avoid) && !candidate.equals(taken) && candidate.available()) {
        return candidate;
      }
    }
    return null;
  }

  /** In slow start an endpoint lets some of its turns pass, unless no other takes them. */
  private <C extends Candidate> @Nullable C next(List<C> all, @Nullable C avoid) {
    C cold = null;
    for (int i = 0; i < all.size(); i++) {
      C candidate = all.get(Math.floorMod(turn++, all.size()));
      if (candidate.equals(avoid) || !candidate.available()) {
        continue;
      }
      if (candidate.warmth() >= 1 || random.nextDouble() < candidate.warmth()) {
        return candidate;
      }
      cold = candidate;
    }
    return cold;
  }

  private static <C extends Candidate> @Nullable C bounded(
      List<C> all, String key, @Nullable C avoid, double maxLoad) {
    C within = owner(all, key, avoid, bound(all, avoid, maxLoad));
    return within == null ? owner(all, key, avoid, UNBOUNDED) : within;
  }

  private static <C extends Candidate> @Nullable C owner(
      List<C> all, String key, @Nullable C avoid, double bound) {
    C best = null;
    long highest = Long.MIN_VALUE;
    for (C candidate : all) {
      if (candidate.equals(avoid)
          || !candidate.available()
          || (bound != UNBOUNDED && candidate.outstanding() + 1 > bound)) {
        continue;
      }
      long score = Hashes.of(key, candidate.identity());
      if (best == null || score > highest) {
        best = candidate;
        highest = score;
      }
    }
    return best;
  }

  /**
   * The requests that an endpoint may have, of those that are available, when one more is among
   * them. At least one of them has fewer, unless other loops send them requests meanwhile.
   */
  private static <C extends Candidate> double bound(
      List<C> all, @Nullable C avoid, double maxLoad) {
    long requests = 1;
    int available = 0;
    for (C candidate : all) {
      if (!candidate.equals(avoid) && candidate.available()) {
        requests += candidate.outstanding();
        available++;
      }
    }
    return Math.ceil(maxLoad * requests / Math.max(1, available));
  }
}
