package io.orrery.compute.runtime.replica;

import io.orrery.compute.process.ListeningSockets.Listener;
import io.orrery.core.workload.WorkloadPort;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The addresses at which the ports of a replica are reached, by the sockets on which its processes
 * listen: the ports that it was given, or, when it does not use those, the numbers that stand in
 * its specification.
 *
 * @param addresses {@code host:port} by the name of the port
 * @param complete whether a socket was found for each
 * @param fixed a number of the specification on which it listens instead of the one that it was
 *     given; 0 for none
 */
public record ReplicaEndpoints(Map<String, String> addresses, boolean complete, int fixed) {
  private static final String LOOPBACK = "127.0.0.1";

  public ReplicaEndpoints {
    addresses = Map.copyOf(addresses);
  }

  /** The endpoints as long as nothing was found: the given ports on loopback. */
  public static ReplicaEndpoints given(Map<String, Integer> ports) {
    Map<String, String> addresses = new HashMap<>();
    ports.forEach((name, port) -> addresses.put(name, LOOPBACK + ":" + port));
    return new ReplicaEndpoints(addresses, ports.isEmpty(), 0);
  }

  /**
   * The endpoints of a program.
   *
   * @param listeners its sockets
   * @param ports those that it was given
   */
  public static ReplicaEndpoints of(
      List<Listener> listeners, List<WorkloadPort> specified, Map<String, Integer> ports) {
    Map<String, String> addresses = new HashMap<>(given(ports).addresses);
    boolean complete = true;
    int fixed = 0;
    for (WorkloadPort port : specified) {
      int wanted = ports.getOrDefault(port.name(), port.number());
      List<InetAddress> bound = bound(listeners, wanted);
      int number = wanted;
      if (bound.isEmpty()) {
        number = port.number();
        bound = bound(listeners, number);
        fixed = bound.isEmpty() ? fixed : number;
      }
      if (bound.isEmpty()) {
        complete = false;
      } else {
        addresses.put(port.name(), host(bound) + ":" + number);
      }
    }
    return new ReplicaEndpoints(addresses, complete, fixed);
  }

  private static List<InetAddress> bound(List<Listener> listeners, int port) {
    return listeners.stream()
        .filter(listener -> listener.port() == port)
        .map(Listener::address)
        .toList();
  }

  private static String host(List<InetAddress> bound) {
    for (InetAddress address : bound) {
      if (address.isAnyLocalAddress() || address.getHostAddress().equals(LOOPBACK)) {
        return LOOPBACK;
      }
    }
    InetAddress first = bound.getFirst();
    return first instanceof Inet6Address
        ? first.isLoopbackAddress() ? "[::1]" : "[" + first.getHostAddress() + "]"
        : first.getHostAddress();
  }
}
