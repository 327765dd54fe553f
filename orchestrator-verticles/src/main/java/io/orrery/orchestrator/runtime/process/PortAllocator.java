package io.orrery.orchestrator.runtime.process;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.OptionalInt;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Allocates ports of this machine, none to two replicas. They are taken below the range from which
 * Linux takes the ports of outgoing connections, so that no connection is in the way of a restart.
 * Thread safe.
 */
final class PortAllocator {
  private static final int WANTED = 12_000;
  private static final int LEAST = 1_024;
  private static final int MOST = 65_535;

  private final int from;
  private final int count;
  private final RandomGenerator random;
  private final Set<Integer> taken = new HashSet<>();

  PortAllocator(int from, int count, RandomGenerator random) {
    this.from = from;
    this.count = count;
    this.random = random;
  }

  /** Allocates outside of the range of outgoing connections. */
  static PortAllocator ofMachine(RandomGenerator random) {
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
    if (low - LEAST >= MOST - high) {
      int count = Math.min(WANTED, low - LEAST);
      return new PortAllocator(low - count, count, random);
    }
    return new PortAllocator(high + 1, MOST - high, random);
  }

  /** Takes a port on which no program listens; empty when there is none. */
  synchronized OptionalInt take() {
    int start = random.nextInt(Math.max(1, count));
    for (int i = 0; i < count; i++) {
      int port = from + (start + i) % count;
      if (!taken.contains(port) && isFree(port)) {
        taken.add(port);
        return OptionalInt.of(port);
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

  /** Whether no program of the machine listens on a port. */
  static boolean isFree(int port) {
    try (Socket probe = new Socket()) {
      probe.setReuseAddress(true);
      probe.bind(new InetSocketAddress(port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
