package io.orrery.router.health;

import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;

/**
 * A counter of what is under way, kept by each event loop for itself: a number that two processors
 * change in turns costs each of them a wait for the other's cache, several times in a request.
 *
 * <p>The limit holds over all loops. Up to its part of it a loop admits without looking at the
 * others. The first one that wants more than its part says so, and from then on each adds all up,
 * after it has counted itself: of two that come at once, at least one sees the other. So the limit
 * is never exceeded; of several that come at once for the last place, all may be refused. That a
 * loop has gone beyond its part is not forgotten.
 */
final class Tally {
  /** Numbers between those of two loops: two lines of a cache, which are fetched together. */
  private static final int APART = 32;

  private final int loops;
  private volatile @Nullable AtomicIntegerArray counts;

  /** Whether a loop has gone, or may have gone, beyond its part. */
  private volatile boolean shared;

  private volatile int most = Integer.MAX_VALUE;

  /**
   * @param loops how many there are
   */
  Tally(int loops) {
    this.loops = loops;
  }

  /** How many may be under way at once; what already is stays. */
  void limit(int atMost) {
    if (most != Integer.MAX_VALUE && most != atMost) {
      // Some of the loops may have more than what is their part now.
      shared = true;
    }
    most = atMost;
  }

  /**
   * Counts one more, unless there are as many as there may be.
   *
   * @param loop from 0
   */
  boolean enter(int loop) {
    return enter(loop, Integer.MAX_VALUE);
  }

  /**
   * Counts one more, unless there are as many as there may be, or as some may have. For fewer than
   * all, every loop is looked at each time.
   *
   * @param loop from 0
   * @param atMost over all loops; of several that come at once, all may be refused
   */
  boolean enter(int loop, int atMost) {
    AtomicIntegerArray all = counts();
    int limit = most;
    boolean beyond = all.incrementAndGet(place(loop)) > limit / loops;
    if (beyond && loops > 1) {
      shared = true;
    }
    if ((beyond || shared || atMost < limit) && sum(all) > Math.min(limit, atMost)) {
      all.decrementAndGet(place(loop));
      return false;
    }
    return true;
  }

  /** Counts one more, or with -1 one less. */
  void add(int loop, int change) {
    counts().addAndGet(place(loop), change);
  }

  /** All loops' together. */
  int sum() {
    AtomicIntegerArray all = counts;
    return all == null ? 0 : sum(all);
  }

  private int sum(AtomicIntegerArray all) {
    int sum = 0;
    for (int i = 0; i < loops; i++) {
      sum += all.get(place(i));
    }
    return sum;
  }

  private int place(int loop) {
    return loops == 1 ? 0 : (loop + 1) * APART;
  }

  /** Made when there is something to count: of very many services hardly any is ever asked. */
  private AtomicIntegerArray counts() {
    AtomicIntegerArray all = counts;
    if (all == null) {
      synchronized (this) {
        all = counts;
        if (all == null) {
          // Room before the first and after the last, lest a neighbour in memory is another's.
          all = new AtomicIntegerArray(loops == 1 ? 1 : (loops + 2) * APART);
          counts = all;
        }
      }
    }
    return all;
  }
}
