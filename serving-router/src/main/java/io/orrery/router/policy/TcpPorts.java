package io.orrery.router.policy;

import io.orrery.router.route.TcpListen;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The ports of services that a router listens on, and those on which it cannot. Of any thread. */
public final class TcpPorts {
  private final TcpListen listen;
  private final boolean shared;
  private final Set<Integer> open = ConcurrentHashMap.newKeySet();
  private final Map<Integer, String> faults = new ConcurrentHashMap<>();

  /**
   * @param shared whether another process may listen at the same ports
   */
  public TcpPorts(TcpListen listen, boolean shared) {
    this.listen = listen;
    this.shared = shared;
  }

  public TcpListen listen() {
    return listen;
  }

  /** A port is listened on. */
  public void opened(int port) {
    faults.remove(port);
    open.add(port);
  }

  /** A port is no more listened on. */
  public void closed(int port) {
    faults.remove(port);
    open.remove(port);
  }

  /**
   * A port cannot be listened on.
   *
   * @return whether that is new
   */
  public boolean failed(int port, String reason) {
    return !reason.equals(faults.put(port, reason));
  }

  public boolean isOpen(int port) {
    return open.contains(port);
  }

  /** The reason for which a port is not listened on; null when it is, or none is known. */
  public @Nullable String fault(int port) {
    return faults.get(port);
  }

  /** The reason for a port on which it could not be listened. */
  public String unbound(int port, Throwable cause) {
    String said = String.valueOf(cause.getMessage());
    if (said.contains("in use")) {
      return "port %d of %s is in use by another program".formatted(port, listen.host());
    }
    if (said.contains("ermission denied")) {
      return "port %d of %s may not be listened on by the user of this server"
          .formatted(port, listen.host());
    }
    return said.contains("assign requested address")
        ? "%s is no address of this machine: correct router.tcp.host".formatted(listen.host())
        : "port %d of %s cannot be listened on: %s".formatted(port, listen.host(), said);
  }

  /** Whether another process may listen at the same ports. */
  public boolean isShared() {
    return shared;
  }
}
