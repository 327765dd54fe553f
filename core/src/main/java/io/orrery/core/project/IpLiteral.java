package io.orrery.core.project;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.StringJoiner;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads and writes IP addresses; no name is looked up. */
final class IpLiteral {
  private static final String BYTE = "(0|[1-9][0-9]{0,2})";
  private static final Pattern V4 = Pattern.compile(BYTE + "(\\." + BYTE + "){3}");
  private static final Pattern V6 = Pattern.compile("[0-9a-fA-F:.]{2,45}");
  private static final int GROUPS = 8;

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
    byte[] bytes = address.getAddress();
    if (bytes.length == 4) {
      return address.getHostAddress();
    }
    int[] groups = new int[GROUPS];
    for (int i = 0; i < GROUPS; i++) {
      groups[i] = ((bytes[2 * i] & 0xFF) << 8) | (bytes[2 * i + 1] & 0xFF);
    }
    return compressed(groups);
  }

  /** Writes {@code ::} for the first longest run of at least two zeros. */
  private static String compressed(int[] groups) {
    int start = GROUPS;
    int length = 1;
    for (int i = 0; i < GROUPS; i++) {
      int end = i;
      while (end < GROUPS && groups[end] == 0) {
        end++;
      }
      if (end - i > length) {
        start = i;
        length = end - i;
      }
    }
    if (start == GROUPS) {
      return joined(groups, 0, GROUPS);
    }
    return joined(groups, 0, start) + "::" + joined(groups, start + length, GROUPS);
  }

  private static String joined(int[] groups, int from, int to) {
    StringJoiner text = new StringJoiner(":");
    for (int i = from; i < to; i++) {
      text.add(Integer.toHexString(groups[i]));
    }
    return text.toString();
  }
}
