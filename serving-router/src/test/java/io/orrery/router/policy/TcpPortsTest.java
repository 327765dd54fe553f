package io.orrery.router.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.route.PortRange;
import io.orrery.router.route.TcpListen;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

class TcpPortsTest {
  private static String reason(String host, int port) throws IOException {
    TcpPorts ports = new TcpPorts(new TcpListen(host, PortRange.STANDARD), false);
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(host, port));
      return "";
    } catch (IOException e) {
      return ports.unbound(port, e);
    }
  }

  @Test
  void thePortOfAnotherProgramIsInUse() throws IOException {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      assertThat(reason("127.0.0.1", other.getLocalPort()))
          .isEqualTo(
              "port %d of 127.0.0.1 is in use by another program".formatted(other.getLocalPort()));
    }
  }

  /** An address of documentation, which no machine has. */
  @Test
  void anAddressOfAnotherMachineIsNamed() throws IOException {
    assertThat(reason("192.0.2.7", 31_000))
        .isEqualTo("192.0.2.7 is no address of this machine: correct router.tcp.host");
  }

  @Test
  void whatIsNotAllowedAndWhatIsUnknownIsSaidAsItIs() {
    TcpPorts ports = new TcpPorts(new TcpListen("0.0.0.0", PortRange.STANDARD), false);

    assertThat(
            ports.unbound(
                80, new IOException("bind(..) failed with error(-13): Permission denied")))
        .isEqualTo("port 80 of 0.0.0.0 may not be listened on by the user of this server");
    assertThat(ports.unbound(80, new IOException("too many open files")))
        .isEqualTo("port 80 of 0.0.0.0 cannot be listened on: too many open files");
  }
}
