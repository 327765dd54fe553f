package io.orrery.router.route;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The address that a client's connection comes from. Made once for each connection.
 *
 * @param text without port, as endpoints are told
 * @param network by which clients are told apart: an IPv4 address itself, of IPv6 the first 64
 *     bits, because the owner of one address there has all of them
 */
public record ClientAddress(String text, String network) {
  private static final int NETWORK_BYTES = 8;

  /**
   * @param literal an address in digits; null when it is not known
   */
  public static ClientAddress of(@Nullable String literal) {
    if (literal == null) {
      return new ClientAddress("unknown", "unknown");
    }
    return new ClientAddress(literal, literal.indexOf(':') < 0 ? literal : network(literal));
  }

  /** Of the other end of a connection. */
  public static ClientAddress ofRemote(@Nullable SocketAddress remote) {
    return of(
        remote instanceof InetSocketAddress internet && internet.getAddress() != null
            ? internet.getAddress().getHostAddress()
            : null);
  }

  private static String network(String literal) {
    int zone = literal.indexOf('%');
    // An IPv4 address in the clothes of an IPv6 one comes out as itself.
    InetAddress address = InetAddress.ofLiteral(zone < 0 ? literal : literal.substring(0, zone));
    byte[] bytes = address.getAddress();
    return bytes.length > NETWORK_BYTES
        ? HexFormat.of().formatHex(Arrays.copyOf(bytes, NETWORK_BYTES))
        : address.getHostAddress();
  }
}
