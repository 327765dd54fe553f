package io.orrery.compute.runtime.replica;

import io.orrery.core.route.PortRange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;

/**
 * Allocates ports of this machine, none to two replicas. They are taken outside of the range from
 * which Linux takes the ports of outgoing connections, so that no connection is in the way of a
 * restart: above it first, then below. Thread safe.
 */
final class PortAllocator {
  private static final int MOST_BELOW = 12_000;
  private static final int LEAST = 1_024;
  private static final int MOST = 65_535;

  private final List<Range> ranges;
  private final RandomGenerator random;
  private final IntPredicate isFree;
  private final Set<Integer> taken = new HashSet<>();

  /**
   * Ports that are next to each other.
   *
   * @param first the lowest
   * @param count 0 for none
   */
  record Range(int first, int count) {}

  /**
   * @param isFree whether no program listens on a port
   */
  PortAllocator(List<Range> ranges, RandomGenerator random, IntPredicate isFree) {
    this.isFree = isFree;
    this.ranges = List.copyOf(ranges);
    this.random = random;
  }

  /** Allocates outside of the range of outgoing connections. */
  static PortAllocator ofMachine(RandomGenerator random, IntPredicate isFree) {
    int low = 32_768;
    int high = 60_999;
    try {
      String[] range =
          Files.readString(Path.of("/proc/sys/net/ipv4/ip_local_port_range")).strip().split("\\s+");
      low = Integer.parseInt(range[0]);
      high = Integer.parseInt(range[1]);
    } catch (IOException | RuntimeException e) {
      // The range that Linux has by default.
    }
    int below = Math.clamp(low - LEAST, 0, MOST_BELOW);
    Range upper = new Range(high + 1, Math.max(0, MOST - high));
    // Those above are for the addresses of services, and to be free when a router comes back.
    int end = Math.min(low, PortRange.STANDARD.first());
    Range lower = new Range(low - below, Math.max(0, end - (low - below)));
    // A machine that uses all for connections: then in their midst.
    return new PortAllocator(
        upper.count + lower.count > 0 ? List.of(upper, lower) : List.of(new Range(low, high - low)),
        random,
        isFree);
  }

  /** Takes a port on which no program listens; empty when there is none. */
  synchronized OptionalInt take() {
    for (Range range : ranges) {
      int start = random.nextInt(Math.max(1, range.count));
      for (int i = 0; i < range.count; i++) {
        int port = range.first + (start + i) % range.count;
        if (!taken.contains(port) && isFree(port)) {
          taken.add(port);
          return OptionalInt.of(port);
        }
      }
    }
    return OptionalInt.empty();
  }

  /** Takes the port of a replica that was found; false when another one has it. */
  synchronized boolean reserve(int port) {
    return taken.add(port);
  }

  /** Gives a port back. */
  synchronized void release(int port) {
    taken.remove(port);
  }

  /** The number of ports that are taken. */
  synchronized int inUse() {
    return taken.size();
  }

  /** Whether no program listens on a port. */
  boolean isFree(int port) {
    return isFree.test(port);
  }
}
