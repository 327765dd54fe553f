package io.orrery.core.check;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/** Checks whether something takes a connection; nothing logs in. Blocks, for seconds at most. */
public final class Reach {
  private static final int TIMEOUT_MS = 3_000;

  private Reach() {}

  /** The outcome for a port. */
  public static CheckResult port(String name, String host, int port, String advice) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(host, port), TIMEOUT_MS);
      return CheckResult.ok(name, host + ":" + port + " answers");
    } catch (IOException | IllegalArgumentException e) {
      return CheckResult.failed(
          name, host + ":" + port + " cannot be reached: " + e.getMessage(), advice);
    }
  }

  /** The outcome for the socket of a container engine. */
  public static CheckResult engine(String name, Path socket) {
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      channel.connect(UnixDomainSocketAddress.of(socket));
      return CheckResult.ok(name, socket + " answers");
    } catch (IOException | IllegalArgumentException e) {
      return CheckResult.failed(
          name,
          socket + " cannot be reached: " + e.getMessage(),
          "systemctl enable --now podman.socket, or let the server's user write to it");
    }
  }
}
