package io.orrery.gateway.http;

import io.netty.handler.ipfilter.IpFilterRuleType;
import io.netty.handler.ipfilter.IpSubnetFilterRule;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * A block of IP addresses in CIDR notation (RFC 4632, RFC 4291), such as {@code 10.0.0.0/8}.
 *
 * @param address one of its addresses, as text
 * @param bits how many bits an address has in common with it: 0 to 32, for IPv6 to 128
 */
public record Network(String address, int bits) {
  private static final int BITS_OF_IPV4 = 32;
  private static final int BITS_OF_IPV6 = 128;

  /**
   * Checks the parts.
   *
   * @throws IllegalArgumentException when the address is none, or has not so many bits
   */
  public Network {
    if (!isAddress(address) || bits < 0 || bits > size(address)) {
      throw new IllegalArgumentException("no network: " + address + "/" + bits);
    }
  }

  /**
   * Reads a block, or an address, which is a block of one.
   *
   * @throws IllegalArgumentException when it is neither
   */
  public static Network parse(String text) {
    int slash = text.indexOf('/');
    return slash < 0
        ? new Network(text, size(text))
        : new Network(text.substring(0, slash), Integer.parseInt(text.substring(slash + 1)));
  }

  /** Whether an address, as text without a port, lies in it. */
  public boolean contains(String literal) {
    String plain = literal.replaceAll("%.*", "");
    return isAddress(plain)
        && size(plain) == size(address)
        && new IpSubnetFilterRule(address, bits, IpFilterRuleType.ACCEPT)
            .matches(new InetSocketAddress(InetAddress.ofLiteral(plain), 0));
  }

  /** Whether it is one address. */
  public boolean isSingle() {
    return bits == size(address);
  }

  private static boolean isAddress(String text) {
    return NetUtil.isValidIpV4Address(text) || NetUtil.isValidIpV6Address(text);
  }

  private static int size(String address) {
    return address.indexOf(':') < 0 ? BITS_OF_IPV4 : BITS_OF_IPV6;
  }
}
