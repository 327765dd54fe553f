package io.orrery.gateway.http;

import com.sun.management.UnixOperatingSystemMXBean;
import io.orrery.core.http.HostName;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The options of the edge's listener.
 *
 * @param host the address to bind
 * @param port 0 takes any free one
 * @param allowedHosts the host names, without ports, that a request may be addressed to; IPv6
 *     addresses in brackets
 * @param advertisedOrigin the origin under which a proxy in front of us serves our pages, such as
 *     {@code https://tune.example}; null when there is none
 * @param proxy below which path a proxy serves us, and which proxies may say so
 * @param tls certificate and key of the port; null serves plain HTTP
 * @param idle how long a connection may be open without a complete request head or a request at
 *     work
 * @param patience how long a client may leave us waiting for the next piece of its body, or for
 *     room for the next piece of our answer
 * @param maxFollowers how many logs may be followed at once
 * @param maxConnections how many connections may be open at once; others are closed at once, behind
 *     TLS when their handshake is done
 */
public record EdgeOptions(
    String host,
    int port,
    Set<String> allowedHosts,
    @Nullable String advertisedOrigin,
    BehindProxy proxy,
    @Nullable TlsFiles tls,
    Duration idle,
    Duration patience,
    int maxFollowers,
    int maxConnections) {
  /** The names by which this machine knows itself. */
  public static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

  /** Of a WebSocket, whether it comes in one frame or in several. */
  public static final int MOST_MESSAGE_BYTES = 4 << 20;

  private static final int MOST_CONNECTIONS = 65_536;

  public EdgeOptions {
    Set<String> lower = new HashSet<>();
    allowedHosts.forEach(name -> lower.add(HostName.withoutRoot(name.toLowerCase(Locale.ROOT))));
    allowedHosts = Set.copyOf(lower);
  }

  /** The default: this machine only. */
  public static EdgeOptions loopback(int port) {
    return at("127.0.0.1", port, LOOPBACK);
  }

  /** Plain HTTP at an address, with the usual limits. */
  public static EdgeOptions at(String host, int port, Set<String> allowedHosts) {
    return new EdgeOptions(
        host,
        port,
        allowedHosts,
        null,
        BehindProxy.NONE,
        null,
        Duration.ofSeconds(75),
        Duration.ofSeconds(30),
        256,
        standardConnections());
  }

  /** A quarter of the files that this process may open; the router may have half of them. */
  private static int standardConnections() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
        ? Math.clamp(system.getMaxFileDescriptorCount() / 4, 64, MOST_CONNECTIONS)
        : MOST_CONNECTIONS;
  }

  /** The same behind a proxy that serves our pages under another origin. */
  public EdgeOptions withAdvertisedOrigin(@Nullable String origin) {
    return reached(origin, proxy, tls);
  }

  /** The same behind a proxy that serves us below a path. */
  public EdgeOptions withProxy(BehindProxy behind) {
    return reached(advertisedOrigin, behind, tls);
  }

  /** The same over TLS; null serves plain HTTP. */
  public EdgeOptions withTls(@Nullable TlsFiles files) {
    return reached(advertisedOrigin, proxy, files);
  }

  /** The same with other limits of time. */
  public EdgeOptions withTimes(Duration newIdle, Duration newPatience) {
    return limited(newIdle, newPatience, maxFollowers, maxConnections);
  }

  /** The same with another number of followers. */
  public EdgeOptions withMaxFollowers(int newMaxFollowers) {
    return limited(idle, patience, newMaxFollowers, maxConnections);
  }

  /** The same with another number of connections. */
  public EdgeOptions withMaxConnections(int newMaxConnections) {
    return limited(idle, patience, maxFollowers, newMaxConnections);
  }

  private EdgeOptions reached(
      @Nullable String newOrigin, BehindProxy newProxy, @Nullable TlsFiles newTls) {
    return new EdgeOptions(
        host,
        port,
        allowedHosts,
        newOrigin,
        newProxy,
        newTls,
        idle,
        patience,
        maxFollowers,
        maxConnections);
  }

  private EdgeOptions limited(
      Duration newIdle, Duration newPatience, int newMaxFollowers, int newMaxConnections) {
    return new EdgeOptions(
        host,
        port,
        allowedHosts,
        advertisedOrigin,
        proxy,
        tls,
        newIdle,
        newPatience,
        newMaxFollowers,
        newMaxConnections);
  }
}
