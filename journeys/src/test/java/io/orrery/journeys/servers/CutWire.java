package io.orrery.journeys.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A way to a port of this machine that can be cut, or swallow what goes through, and be repaired.
 */
final class CutWire implements AutoCloseable {
  private final ServerSocket entrance;
  private final int target;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private volatile boolean cut;
  private volatile boolean silent;

  private CutWire(ServerSocket entrance, int target) {
    this.entrance = entrance;
    this.target = target;
  }

  static CutWire to(int target) throws IOException {
    CutWire wire = new CutWire(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), target);
    Thread.ofVirtual().start(wire::serve);
    return wire;
  }

  int port() {
    return entrance.getLocalPort();
  }

  /** Ends what goes through, and lets nothing through any more. */
  void cut() {
    cut = true;
    open.forEach(CutWire::end);
  }

  /** Swallows what goes through, without a sign to either end. */
  void silence() {
    silent = true;
  }

  /** Lets everything through again; a connection that has lost something is ended. */
  void repair() {
    cut = false;
    if (silent) {
      open.forEach(CutWire::end);
      silent = false;
      // Those that came in between have lost something as well.
      open.forEach(CutWire::end);
    }
  }

  private void serve() {
    while (!entrance.isClosed()) {
      try {
        join(entrance.accept());
      } catch (IOException e) {
        // Closed, or the target is not there: the client sees its connection end.
        continue;
      }
    }
  }

  private void join(Socket client) throws IOException {
    open.add(client);
    if (cut) {
      end(client);
      return;
    }
    Socket server;
    try {
      server = new Socket(InetAddress.getLoopbackAddress(), target);
    } catch (IOException e) {
      end(client);
      throw e;
    }
    open.add(server);
    if (cut) {
      end(server);
    }
    Thread.ofVirtual().start(() -> copy(client, server));
    Thread.ofVirtual().start(() -> copy(server, client));
  }

  private void copy(Socket from, Socket to) {
    try {
      byte[] piece = new byte[8192];
      int length = from.getInputStream().read(piece);
      while (length >= 0) {
        if (!silent) {
          to.getOutputStream().write(piece, 0, length);
        }
        length = from.getInputStream().read(piece);
      }
    } catch (IOException e) {
      // The end of one is the end of both.
    } finally {
      end(from);
      end(to);
      open.remove(from);
      open.remove(to);
    }
  }

  private static void end(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    entrance.close();
    cut();
  }
}
