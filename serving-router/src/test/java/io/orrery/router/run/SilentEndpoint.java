package io.orrery.router.run;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** An endpoint that accepts connections, and neither reads from them nor answers. */
final class SilentEndpoint implements AutoCloseable {
  private final ServerSocket server;
  private final List<Socket> open = new CopyOnWriteArrayList<>();

  SilentEndpoint() throws IOException {
    server = new ServerSocket(0, 2_000, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  String address() {
    return "127.0.0.1:" + server.getLocalPort();
  }

  private void accept() {
    try {
      while (true) {
        open.add(server.accept());
      }
    } catch (IOException closed) {
      // The test is over.
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (Socket socket : open) {
      socket.close();
    }
  }
}
