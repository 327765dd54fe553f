package io.orrery.router.route;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The limits of what clients can make the router hold, all event loops together.
 *
 * @param memory bytes of bodies and heads that wait in the router for a client or an endpoint
 * @param memoryPerClient the same for one client: an IPv4 address, or an IPv6 network of 64 bits
 * @param memoryPerConnection the same for one connection of a client
 * @param connections open connections of clients
 * @param connectionsPerClient the same for one client
 * @param slow for how long bytes may wait for a client that does not take {@link #STREAM} of them
 * @param upload the slowest that the body of a request may come; null for any
 */
public record ClientLimits(
    long memory,
    long memoryPerClient,
    long memoryPerConnection,
    int connections,
    int connectionsPerClient,
    Duration slow,
    @Nullable UploadRate upload) {
  /** Bytes of one request or answer that may wait before its sender is paused. */
  public static final int STREAM = 64 * 1024;

  private static final long LEAST_MEMORY = 4L << 20;
  private static final long MOST_MEMORY = 1L << 30;
  private static final long MOST_PER_CONNECTION = 8L << 20;

  /** Bytes of the heap for each connection that is open. */
  private static final long HEAP_PER_CONNECTION = 64 * 1024;

  private static final int LEAST_CONNECTIONS = 1_024;
  private static final int MOST_CONNECTIONS = 65_536;
  private static final Duration SLOW = Duration.ofSeconds(60);

  /** 500 bytes a second, over half a minute. */
  static final UploadRate UPLOAD = new UploadRate(500, Duration.ofSeconds(30));

  /** An eighth of the heap, from 4 MB to 1 GB. */
  public static long standardMemory() {
    return Math.clamp(Runtime.getRuntime().maxMemory() / 8, LEAST_MEMORY, MOST_MEMORY);
  }

  /**
   * One for each 64 KB of the heap, from 1,024 to 65,536, but no more than half of the files that
   * the process may open: each may need a connection to an endpoint, and without a file left none
   * is accepted any more.
   */
  public static int standardConnections() {
    int ofHeap =
        Math.clamp(
            Runtime.getRuntime().maxMemory() / HEAP_PER_CONNECTION,
            LEAST_CONNECTIONS,
            MOST_CONNECTIONS);
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
        ? Math.clamp(system.getMaxFileDescriptorCount() / 2, 1, ofHeap)
        : ofHeap;
  }

  /** Those of a router of which nothing else was said. */
  public static ClientLimits standard() {
    return of(standardMemory(), standardConnections());
  }

  /** Limits of which only the sums were said: half of both is the most for one client. */
  public static ClientLimits of(long memory, int connections) {
    return new ClientLimits(
        memory,
        memory / 2,
        perConnection(memory),
        connections,
        Math.max(1, connections / 2),
        SLOW,
        UPLOAD);
  }

  /** The part of one connection where only the sum was said: a sixteenth, at most 8 MB. */
  static long perConnection(long memory) {
    return Math.min(MOST_PER_CONNECTION, Math.max(STREAM, memory / 16));
  }
}
