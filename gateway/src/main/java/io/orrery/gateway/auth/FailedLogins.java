package io.orrery.gateway.auth;

import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.vertx.core.net.SocketAddress;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Slows down whoever tries tokens: an address that has shown {@value #MOST} unknown ones is not
 * answered but with Busy until some time has passed, one more try for every six seconds. IPv6
 * addresses count by their network (the first 64 bits), because whoever has one address there has
 * all of them.
 *
 * <p>This spares the server and its log; it is not what keeps guesses out. A token is 256 random
 * bits, which nobody guesses at any speed. So one that is right passes whatever came from its
 * address before: behind a proxy, or among the users of one machine, others could else lock its
 * owner out.
 *
 * <p>The table forgets the address that it has not seen for longest, so it stays small whoever
 * knocks.
 */
final class FailedLogins {
  private static final int MOST = 10;
  private static final long MILLIS_EACH = 6_000;
  private static final int MOST_ADDRESSES = 4_096;
  private static final int NETWORK_BYTES = 8;

  private final Clock clock;
  private final Map<String, Failures> byAddress =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Failures> eldest) {
          return size() > MOST_ADDRESSES;
        }
      };

  /** A count of failures at an instant, which decays from then on. */
  private record Failures(double count, long millis) {
    double at(long now) {
      return Math.max(0, count - (now - millis) / (double) MILLIS_EACH);
    }
  }

  FailedLogins(Clock clock) {
    this.clock = clock;
  }

  /**
   * Lets an address try.
   *
   * @throws io.orrery.core.problem.ProblemException Busy when it has failed too often of late
   */
  void check(SocketAddress address) {
    Failures failures = byAddress.get(network(address));
    double count = failures == null ? 0 : failures.at(clock.millis());
    if (count > MOST - 1) {
      throw new Problem.Busy(
              "Too many unknown tokens came from this address.",
              Duration.ofMillis((long) Math.ceil((count - MOST + 1) * MILLIS_EACH)))
          .toException();
    }
  }

  void failed(SocketAddress address) {
    long now = clock.millis();
    byAddress.compute(
        network(address),
        (known, before) -> new Failures((before == null ? 0 : before.at(now)) + 1, now));
  }

  int size() {
    return byAddress.size();
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
