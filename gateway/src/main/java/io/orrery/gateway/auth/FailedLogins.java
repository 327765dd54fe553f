package io.orrery.gateway.auth;

import io.orrery.core.auth.FailureThrottle;
import io.orrery.core.time.Clock;
import io.vertx.core.net.SocketAddress;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * A limit of unknown tokens for each address, by {@link FailureThrottle}. IPv6 addresses count by
 * their network (the first 64 bits), because a machine that has one address there has all of them.
 *
 * <p>This spares the server and its log; it is not what keeps guesses out. A token is 256 random
 * bits, which cannot be guessed at any speed. So one that is right passes whatever came from its
 * address before: behind a proxy, or among the users of one machine, others could else lock its
 * owner out.
 */
final class FailedLogins {
  private static final int MOST_ADDRESSES = 4_096;
  private static final int NETWORK_BYTES = 8;

  private final FailureThrottle failures;

  FailedLogins(Clock clock) {
    this.failures = new FailureThrottle(clock, MOST_ADDRESSES);
  }

  /**
   * Lets an address try.
   *
   * @throws io.orrery.core.problem.ProblemException Busy when it has failed too often of late
   */
  void check(SocketAddress address) {
    failures.check(network(address), "Too many unknown tokens came from this address.");
  }

  void failed(SocketAddress address) {
    failures.failed(network(address));
  }

  int size() {
    return failures.size();
  }

  private static String network(SocketAddress address) {
    String literal = address.hostAddress();
    if (literal == null || literal.indexOf(':') < 0) {
      return String.valueOf(literal);
    }
    byte[] bytes = InetAddress.ofLiteral(literal.replaceAll("%.*", "")).getAddress();
    return bytes.length > NETWORK_BYTES
        ? HexFormat.of().formatHex(Arrays.copyOf(bytes, NETWORK_BYTES))
        : HexFormat.of().formatHex(bytes);
  }
}
