package io.orrery.gateway.http;

import java.time.Duration;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * How the edge listens.
 *
 * @param host the address to bind
 * @param port 0 takes any free one
 * @param allowedHosts the host names, without ports, that a request may be addressed to; IPv6
 *     addresses in brackets
 * @param idle how long a connection may be open without a complete request head or a request at
 *     work
 * @param patience how long a client may leave us waiting for the next piece of its body, or for
 *     room for the next piece of our answer
 * @param maxFollowers how many logs may be followed at once
 */
public record EdgeOptions(
    String host,
    int port,
    Set<String> allowedHosts,
    Duration idle,
    Duration patience,
    int maxFollowers) {
  /** The names by which this machine knows itself. */
  public static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

  public EdgeOptions {
    Set<String> lower = new HashSet<>();
    allowedHosts.forEach(name -> lower.add(name.toLowerCase(Locale.ROOT)));
    allowedHosts = Set.copyOf(lower);
  }

  /** The default: this machine only. */
  public static EdgeOptions loopback(int port) {
    return new EdgeOptions(
        "127.0.0.1", port, LOOPBACK, Duration.ofSeconds(75), Duration.ofSeconds(30), 256);
  }

  /** The same with other limits of time. */
  public EdgeOptions withTimes(Duration newIdle, Duration newPatience) {
    return new EdgeOptions(host, port, allowedHosts, newIdle, newPatience, maxFollowers);
  }

  /** The same with another number of followers. */
  public EdgeOptions withMaxFollowers(int newMaxFollowers) {
    return new EdgeOptions(host, port, allowedHosts, idle, patience, newMaxFollowers);
  }
}
