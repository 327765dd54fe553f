package io.orrery.core.http;

import java.net.InetAddress;

/**
 * Knows the IP addresses that are reached through the Internet: none of this machine, of a link, of
 * a private network, of a carrier, and none that is reserved or leads to others (RFC 6890, the
 * registries of IANA).
 */
public final class PublicAddresses {
  private PublicAddresses() {}

  /** Whether an address is reached through the Internet. */
  public static boolean contains(InetAddress address) {
    byte[] bytes = address.getAddress();
    return bytes.length == 4 ? isPublic4(bytes) : isPublic6(bytes);
  }

  private static boolean isPublic4(byte[] bytes) {
    int a = bytes[0] & 0xff;
    int b = bytes[1] & 0xff;
    int c = bytes[2] & 0xff;
    boolean refused =
        a == 0
            || a == 10
            || a == 127
            || a >= 224
            || (a == 100 && (b & 0xc0) == 64)
            || (a == 169 && b == 254)
            || (a == 172 && (b & 0xf0) == 16)
            || (a == 192 && b == 168)
            || (a == 192 && b == 0 && (c == 0 || c == 2))
            || (a == 192 && b == 88 && c == 99)
            || (a == 198 && (b & 0xfe) == 18)
            || (a == 198 && b == 51 && c == 100)
            || (a == 203 && b == 0 && c == 113);
    return !refused;
  }

  /** Global unicast alone, without what carries an IPv4 address or is meant for documents. */
  private static boolean isPublic6(byte[] bytes) {
    int first = (bytes[0] & 0xff) << 8 | (bytes[1] & 0xff);
    int second = (bytes[2] & 0xff) << 8 | (bytes[3] & 0xff);
    boolean global = (first & 0xe000) == 0x2000;
    boolean refused =
        (first == 0x2001 && (second & 0xfe00) == 0)
            || (first == 0x2001 && second == 0x0db8)
            || first == 0x2002
            || (first == 0x3fff && (second & 0xf000) == 0);
    return global && !refused;
  }
}
