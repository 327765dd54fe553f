package io.orrery.router.tcp;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A program behind the router that speaks bytes: each connection has a thread. */
final class TcpEndpoint implements AutoCloseable {
  private final ServerSocket listening;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger accepted = new AtomicInteger();

  /** A program for each connection. */
  @FunctionalInterface
  interface Speech {
    void speak(InputStream in, OutputStream out) throws IOException;
  }

  TcpEndpoint(Speech speech) throws IOException {
    listening = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(() -> serve(speech));
  }

  /** Says its name, then what it hears, until the other side has nothing more to say. */
  static TcpEndpoint echo(String name) throws IOException {
    return new TcpEndpoint((in, out) -> {
      out.write((name + "\n").getBytes());
      in.transferTo(out);
    });
  }

  private void serve(Speech speech) {
    try {
      while (true) {
        Socket socket = listening.accept();
        accepted.incrementAndGet();
        open.add(socket);
        Thread.ofVirtual().start(() -> speak(speech, socket));
      }
    } catch (IOException closed) {
      // The test is over.
    }
  }

  private void speak(Speech speech, Socket socket) {
    try (socket) {
      speech.speak(socket.getInputStream(), socket.getOutputStream());
    } catch (IOException gone) {
      // The other side, or the test, is over.
    } finally {
      open.remove(socket);
    }
  }

  String address() {
    return "127.0.0.1:" + listening.getLocalPort();
  }

  /** Connections since the start. */
  int accepted() {
    return accepted.get();
  }

  /** Connections now. */
  int open() {
    return open.size();
  }

  @Override
  public void close() {
    try {
      listening.close();
      for (Socket socket : open) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
