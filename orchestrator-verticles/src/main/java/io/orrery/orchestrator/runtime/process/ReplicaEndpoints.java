package io.orrery.orchestrator.runtime.process;

import io.orrery.core.workload.WorkloadPort;
import io.orrery.orchestrator.process.ListeningSockets;
import io.orrery.orchestrator.process.ListeningSockets.Listener;
import io.orrery.orchestrator.process.Processes;
import io.orrery.orchestrator.process.Processes.Found;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

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
record ReplicaEndpoints(Map<String, String> addresses, boolean complete, int fixed) {
  private static final String LOOPBACK = "127.0.0.1";

  ReplicaEndpoints {
    addresses = Map.copyOf(addresses);
  }

  /** The endpoints as long as nothing was found: the given ports on loopback. */
  static ReplicaEndpoints given(Map<String, Integer> ports) {
    Map<String, String> addresses = new HashMap<>();
    ports.forEach((name, port) -> addresses.put(name, LOOPBACK + ":" + port));
    return new ReplicaEndpoints(addresses, ports.isEmpty(), 0);
  }

  /**
   * Looks at the sockets of a program.
   *
   * @param ports those that it was given
   */
  static ReplicaEndpoints find(
      ReplicaProgram program, List<WorkloadPort> specified, Map<String, Integer> ports)
      throws IOException {
    ReplicaEndpoints tree =
        of(ListeningSockets.of(Processes.tree(program.pid())), specified, ports);
    if (tree.complete) {
      return tree;
    }
    // A process whose parent has ended is none of the tree.
    List<Long> marked = program.marked().stream().map(Found::pid).toList();
    return of(ListeningSockets.of(marked), specified, ports);
  }

  static ReplicaEndpoints of(
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

  /**
   * Whether a process of this user that is none of the replica's listens on a port.
   *
   * @param all processes of the machine
   * @param mark of the replica's processes
   * @param root the process that leads its session
   */
  static boolean isStrangers(int port, List<Found> all, String mark, long root) throws IOException {
    Set<Long> tree = Set.copyOf(Processes.tree(root));
    List<Long> others = new ArrayList<>();
    for (Found process : all) {
      if (!mark.equals(process.mark()) && !tree.contains(process.pid())) {
        others.add(process.pid());
      }
    }
    others.add(ProcessHandle.current().pid());
    return ListeningSockets.of(others).stream().anyMatch(listener -> listener.port() == port);
  }
}
