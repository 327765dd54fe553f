package io.orrery.router.route;

/**
 * The address at which a copy of a service listens.
 *
 * @param host a name or an address; IPv6 without brackets
 * @param port 1 to 65535
 */
public record EndpointAddress(String host, int port) {
  /**
   * Reads {@code host:port} or {@code [ipv6]:port}.
   *
   * @throws IllegalArgumentException when it is neither
   */
  public static EndpointAddress parse(String text) {
    int colon = text.lastIndexOf(':');
    if (colon <= 0 || !text.substring(colon + 1).matches("[0-9]{1,5}")) {
      throw new IllegalArgumentException();
    }
    String host = text.substring(0, colon);
    int port = Integer.parseInt(text.substring(colon + 1));
    boolean bracketed = host.startsWith("[") && host.endsWith("]");
    String plain = bracketed ? host.substring(1, host.length() - 1) : host;
    if (port < 1
        || port > 65535
        || !plain.matches(bracketed ? "[0-9a-fA-F:.]+" : "[A-Za-z0-9]([-A-Za-z0-9._]*)")) {
      throw new IllegalArgumentException();
    }
    return new EndpointAddress(plain, port);
  }

  @Override
  public String toString() {
    return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
  }
}
