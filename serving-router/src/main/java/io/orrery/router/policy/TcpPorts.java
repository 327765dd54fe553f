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

  /** The reason for a port that another program has. */
  public String inUse(int port) {
    return "port %d of %s is in use by another program".formatted(port, listen.host());
  }

  /** Whether another process may listen at the same ports. */
  public boolean isShared() {
    return shared;
  }
}
