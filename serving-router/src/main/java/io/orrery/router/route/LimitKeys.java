package io.orrery.router.route;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.config.ConfigKey;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The keys of {@link ClientLimits}, declared once: {@code listen.limits} of the file of a router
 * that runs alone and {@code router.limits} of the server's configuration are read by them.
 */
public final class LimitKeys {
  private static final int MOST_CONNECTIONS = 10_000_000;
  private static final long LEAST_MEMORY = 64 * 1024;
  private static final long MOST_RATE = 1L << 30;
  private static final Duration LONGEST = Duration.ofDays(1);

  static final ConfigKey<Long> MEMORY =
      memory(
          "memory",
          "Bytes that wait in the router, of all clients together; an eighth of the heap, from 4 MB"
              + " to 1 GB, when it is not set.");

  static final ConfigKey<Long> MEMORY_PER_CLIENT =
      memory(
          "memoryPerClient",
          "The same for one client, which is an IPv4 address or an IPv6 network of 64 bits; half of"
              + " memory when it is not set.");

  static final ConfigKey<Long> MEMORY_PER_CONNECTION =
      memory(
          "memoryPerConnection",
          "The same for one connection; a sixteenth of memory, at most 8 MB, when it is not set.");

  static final ConfigKey<Integer> CONNECTIONS =
      connections(
          "connections",
          "Open connections of clients; one for each 64 KB of the heap, from 1,024 to 65,536, and no"
              + " more than half of the files that the process may open, when it is not set.");

  static final ConfigKey<Integer> CONNECTIONS_PER_CLIENT =
      connections(
          "connectionsPerClient", "The same for one client; half of them when it is not set.");

  static final ConfigKey<Duration> SLOW =
      time(
          "slow",
          "How long 64 KB may wait for a client that does not read them; 60s when not set.");

  static final ConfigKey<Long> UPLOAD_RATE =
      key(
          "uploadRate",
          "bytes for each second, such as 500 or 4KB, or off",
          "The slowest that the body of a request may come, over uploadWindow; 500 when not set.",
          text -> text.equals("off") || text.equals("false") ? 0 : Measures.bytes(text),
          found -> found <= MOST_RATE);

  static final ConfigKey<Duration> UPLOAD_WINDOW =
      time("uploadWindow", "The time over which uploadRate is counted; 30s when not set.");

  /** All of them, in the order in which they are explained. */
  public static final List<ConfigKey<?>> ALL =
      List.of(
          MEMORY,
          MEMORY_PER_CLIENT,
          MEMORY_PER_CONNECTION,
          CONNECTIONS,
          CONNECTIONS_PER_CLIENT,
          SLOW,
          UPLOAD_RATE,
          UPLOAD_WINDOW);

  private LimitKeys() {}

  /** The values that were written, by their keys. */
  @FunctionalInterface
  public interface Values {
    /** The value of a key; null when it is not set. */
    <T> @Nullable T find(ConfigKey<T> key);
  }

  /** The limits with these values; what is not set follows from what is. */
  public static ClientLimits read(Values values) {
    long memory = or(values.find(MEMORY), ClientLimits.standardMemory());
    int connections = or(values.find(CONNECTIONS), ClientLimits.standardConnections());
    ClientLimits standard = ClientLimits.of(memory, connections);
    long rate = or(values.find(UPLOAD_RATE), ClientLimits.UPLOAD.bytes());
    Duration window = or(values.find(UPLOAD_WINDOW), ClientLimits.UPLOAD.window());
    return new ClientLimits(
        memory,
        or(values.find(MEMORY_PER_CLIENT), standard.memoryPerClient()),
        or(values.find(MEMORY_PER_CONNECTION), standard.memoryPerConnection()),
        connections,
        or(values.find(CONNECTIONS_PER_CLIENT), standard.connectionsPerClient()),
        or(values.find(SLOW), standard.slow()),
        rate == 0 ? null : new UploadRate(rate, window));
  }

  private static <T> T or(@Nullable T written, T standard) {
    return written == null ? standard : written;
  }

  private static ConfigKey<Long> memory(String name, String sentence) {
    return key(
        name,
        "a size such as 512KB, 64MB or 2GB, from 64KB",
        sentence,
        Measures::bytes,
        found -> found >= LEAST_MEMORY);
  }

  private static ConfigKey<Integer> connections(String name, String sentence) {
    return key(
        name,
        "a whole number from 1 to " + MOST_CONNECTIONS,
        sentence,
        Integer::valueOf,
        found -> found >= 1 && found <= MOST_CONNECTIONS);
  }

  private static ConfigKey<Duration> time(String name, String sentence) {
    return key(
        name,
        "a time such as 500ms, 2s, 5m or 1h, above zero and up to a day",
        sentence,
        Measures::duration,
        found -> found.isPositive() && found.compareTo(LONGEST) <= 0);
  }

  private static <T> ConfigKey<T> key(
      String name,
      String bounds,
      String sentence,
      Function<String, T> read,
      Predicate<T> isWithinBounds) {
    return new ConfigKey<>(
        name, null, bounds, sentence, value -> parse(value, bounds, read, isWithinBounds));
  }

  private static <T> T parse(
      JsonNode value, String bounds, Function<String, T> read, Predicate<T> isWithinBounds) {
    if (!value.isValueNode()) {
      throw new IllegalArgumentException(bounds);
    }
    T found;
    try {
      found = read.apply(value.asText().strip());
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(bounds, e);
    }
    if (!isWithinBounds.test(found)) {
      throw new IllegalArgumentException(bounds);
    }
    return found;
  }
}
