package io.orrery.router.policy;

import java.util.concurrent.Executor;

/**
 * A budget for the bytes that are read in one turn of an event loop, so that a hundred connections
 * with much to read do not keep all others waiting for long: each may be read less, the more has
 * been read in the turn already, and little once 2 MB have been (decision 0314). A connection is
 * read once in a turn, so one alone is read in the largest pieces.
 *
 * <p>Belongs to one event loop; only its thread calls it.
 */
public final class ReadBudget {
  private static final int IN_TURN = 2 * 1024 * 1024;
  private static final int SHARE = 8;
  private static final int LEAST = 16 * 1024;

  private final MemoryBudget memory;
  private final Executor loop;
  private int spent;

  /**
   * @param loop runs what it is given after the connections that are ready in this turn
   */
  ReadBudget(MemoryBudget memory, Executor loop) {
    this.memory = memory;
    this.loop = loop;
  }

  /** The most that the next read may take. */
  public int most() {
    int most = memory.read();
    return spent == 0 ? most : Math.min(most, Math.max(LEAST, (IN_TURN - spent) / SHARE));
  }

  /** Counts what was read. Small reads are not worth a count. */
  public void add(int bytes) {
    if (bytes < LEAST) {
      return;
    }
    if (spent == 0) {
      loop.execute(() -> spent = 0);
    }
    spent = Math.min(IN_TURN, spent + bytes);
  }
}
