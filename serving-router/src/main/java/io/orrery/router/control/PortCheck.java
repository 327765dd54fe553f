package io.orrery.router.control;

import io.orrery.core.json.Document;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.route.RouteLayer;
import io.orrery.router.policy.TcpPorts;
import io.orrery.router.route.RouteTable;
import io.orrery.router.route.Service;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A check whether the router can listen on the ports of a layer. Blocks. */
final class PortCheck {
  private PortCheck() {}

  /**
   * Checks the ports of a layer that the router does not listen on yet.
   *
   * @param text that the layer was read from; null when it is not known
   * @throws io.orrery.core.problem.ProblemException Refused, with a finding for each port
   */
  static void check(TcpPorts ports, RouteTable table, RouteLayer layer, @Nullable String text) {
    List<Finding> findings = new ArrayList<>();
    List<Service> services = table.services(layer);
    for (int i = 0; i < services.size(); i++) {
      Integer port = services.get(i).tcp();
      String fault = port == null ? null : fault(ports, port);
      if (fault != null) {
        findings.add(new Finding("/services/" + i + "/tcp/port", fault));
      }
    }
    if (!findings.isEmpty()) {
      throw Problem.Refused.of(text == null ? findings : Document.read(text).placed(findings))
          .toException();
    }
  }

  /** The reason for which a port cannot be listened on; null when it can, or is already. */
  private static @Nullable String fault(TcpPorts ports, int port) {
    String outside = ports.listen().fault(port);
    if (outside != null || ports.isShared() || ports.isOpen(port)) {
      return outside;
    }
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(ports.listen().host(), port));
      return null;
    } catch (IOException e) {
      // It may have been opened for the table just now.
      return ports.isOpen(port) ? null : ports.unbound(port, e);
    }
  }
}
