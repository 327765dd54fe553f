package io.orrery.core.project;

import io.netty.util.NetUtil;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads and writes IP addresses; no name is looked up. */
final class IpLiteral {
  private static final String BYTE = "(0|[1-9][0-9]{0,2})";
  private static final Pattern V4 = Pattern.compile(BYTE + "(\\." + BYTE + "){3}");
  private static final Pattern V6 = Pattern.compile("[0-9a-fA-F:.]{2,45}");

  private IpLiteral() {}

  /**
   * The address of a text: IPv4 as four numbers without leading zeros, or IPv6 without brackets and
   * zone; null when it is neither. An IPv6 text of an IPv4 address gives the IPv4 address.
   */
  static @Nullable InetAddress parse(String text) {
    try {
      if (V4.matcher(text).matches()) {
        return Inet4Address.ofLiteral(text);
      }
      return text.indexOf(':') >= 0 && V6.matcher(text).matches()
          ? Inet6Address.ofLiteral(text)
          : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** The one text of an address: for IPv6 that of RFC 5952, as {@code 2001:db8::1}. */
  static String text(InetAddress address) {
    return NetUtil.toAddressString(address);
  }
}
