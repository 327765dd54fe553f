package io.orrery.router.route;

import io.orrery.core.route.PortRange;
import org.jspecify.annotations.Nullable;

/**
 * The address and the ports at which a router may listen for services that are reached by a port.
 *
 * @param host the address of all of these ports
 * @param ports the numbers that a table may have
 */
public record TcpListen(String host, PortRange ports) {
  /** Loopback. */
  public static final TcpListen STANDARD = new TcpListen(RouterFile.LOOPBACK, PortRange.STANDARD);

  /** The fault of a port of a table; null when there is none. */
  public @Nullable String fault(int port) {
    return ports.contains(port)
        ? null
        : "port %d is not among those of this router, which are %s".formatted(port, ports);
  }
}
