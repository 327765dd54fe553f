package io.orrery.compute.kubernetes;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A connection to a server of this machine that can be cut, with everything that goes over it. */
final class Cable implements AutoCloseable {
  private final ServerSocket entry;
  private final int port;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private volatile boolean cut;

  /**
   * @param port where it leads
   */
  Cable(int port) throws IOException {
    this.port = port;
    this.entry = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    threads.execute(this::accept);
  }

  String url() {
    return "http://127.0.0.1:" + entry.getLocalPort();
  }

  void cut() throws IOException {
    cut = true;
    for (Socket socket : open) {
      socket.close();
    }
  }

  void repair() {
    cut = false;
  }

  private void accept() {
    try {
      while (true) {
        Socket near = entry.accept();
        if (cut) {
          near.close();
          continue;
        }
        Socket far = new Socket(InetAddress.getLoopbackAddress(), port);
        open.add(near);
        open.add(far);
        threads.execute(() -> relay(near, far));
        threads.execute(() -> relay(far, near));
      }
    } catch (IOException closed) {
      // No attempt comes any more.
    }
  }

  private void relay(Socket from, Socket to) {
    try (from;
        to) {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException cutOrEnded) {
      // Both ends are closed.
    } finally {
      open.remove(from);
      open.remove(to);
    }
  }

  @Override
  public void close() throws IOException {
    entry.close();
    cut();
    threads.shutdownNow();
  }
}
