package io.orrery.gateway.workspace;

import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.time.Clock;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * The bytes that the directory of each person has, and may have. They are counted at most every few
 * seconds; what is uploaded meanwhile is added. Programs write beside us and are not held back:
 * their files count at the next upload.
 */
final class WorkspaceQuota {
  private static final Duration FRESH = Duration.ofSeconds(10);
  private static final int MOST_KNOWN = 1_000;

  /** A count of the bytes of a directory. */
  @FunctionalInterface
  interface Count {
    long bytes() throws IOException;
  }

  private static final class Usage {
    long bytes;
    Instant countedAt = Instant.EPOCH;
    int open;
  }

  private final Map<String, Usage> known = new HashMap<>();
  private final long most;
  private final Clock clock;

  /**
   * @param most bytes of a person
   */
  WorkspaceQuota(long most, Clock clock) {
    this.most = most;
    this.clock = clock;
  }

  long most() {
    return most;
  }

  /** The bytes that a person has now, or had some seconds ago. Blocks. */
  long used(String user, Count count) throws IOException {
    Usage usage = usage(user);
    synchronized (usage) {
      Instant now = clock.now();
      if (usage.open == 0 && usage.countedAt.plus(FRESH).isBefore(now)) {
        usage.bytes = count.bytes();
        usage.countedAt = now;
      }
      return usage.bytes;
    }
  }

  /**
   * Begins to write. Blocks.
   *
   * @param announced bytes; 0 when that is not known
   * @throws ProblemException TooLarge when they do not fit
   */
  void begin(String user, long announced, Count count) throws IOException {
    Usage usage = usage(user);
    synchronized (usage) {
      room(user, announced, count);
      usage.open++;
    }
  }

  /**
   * The bytes that a person may still add. Blocks.
   *
   * @param announced bytes; 0 when that is not known
   * @throws ProblemException TooLarge when they do not fit
   */
  long room(String user, long announced, Count count) throws IOException {
    Usage usage = usage(user);
    synchronized (usage) {
      long used = used(user, count);
      if (announced > most - used && usage.open == 0) {
        // A program may have deleted something since.
        usage.countedAt = Instant.EPOCH;
        used = used(user, count);
      }
      if (announced > most - used) {
        throw full(user, used);
      }
      return most - used;
    }
  }

  /** Forgets a count, after something was deleted or replaced. */
  void forget(String user) {
    Usage usage = usage(user);
    synchronized (usage) {
      usage.countedAt = Instant.EPOCH;
    }
  }

  /** Adds what is being written, or takes it away. */
  void add(String user, long bytes) {
    Usage usage = usage(user);
    synchronized (usage) {
      usage.bytes += bytes;
      if (bytes > 0 && usage.bytes > most) {
        throw full(user, usage.bytes - bytes);
      }
    }
  }

  void end(String user) {
    Usage usage = usage(user);
    synchronized (usage) {
      usage.open--;
    }
  }

  private synchronized Usage usage(String user) {
    if (known.size() > MOST_KNOWN) {
      known.values().removeIf(WorkspaceQuota::atRest);
    }
    return known.computeIfAbsent(user, u -> new Usage());
  }

  private static boolean atRest(Usage usage) {
    synchronized (usage) {
      return usage.open == 0;
    }
  }

  ProblemException full(String user, long used) {
    return new Problem.TooLarge(
            "The files of %s may have %,d bytes in all, and have %,d: this does not fit."
                .formatted(user, most, used))
        .toException();
  }
}
