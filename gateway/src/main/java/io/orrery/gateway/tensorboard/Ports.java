package io.orrery.gateway.tensorboard;

import io.orrery.core.problem.Problem;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.TreeSet;

/** The ports of TensorBoards, on the loopback interface, beginning with the one it is known for. */
final class Ports {
  private static final int FIRST = 6006;
  private static final int LAST = FIRST + 999;

  private final Set<Integer> taken = new TreeSet<>();

  int taken() {
    return taken.size();
  }

  /** Returns a port that no process listens on, until it is given back. */
  int take() {
    for (int port = FIRST; port <= LAST; port++) {
      if (!taken.contains(port) && isFree(port)) {
        taken.add(port);
        return port;
      }
    }
    throw new Problem.Conflict(
            "No port from " + FIRST + " to " + LAST + " is free for TensorBoard.")
        .toException();
  }

  void giveBack(int port) {
    taken.remove(port);
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException inUse) {
      return false;
    }
  }
}
