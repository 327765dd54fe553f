package io.orrery.benchmarks.router.hostile;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.function.BooleanSupplier;

/** A connection of a hostile client to the router: bytes by hand, at a bounded pace. */
final class HostilePeer implements AutoCloseable {
  /**
   * The receive buffer of a client that does not read; small, so that the router holds the rest.
   */
  private static final int RECEIVE_BUFFER = 4 * 1024;

  /** A client may write so many bytes in all: an attack is bounded in size as in time. */
  private static final long MOST_BYTES = 64L << 20;

  private static final String HOST = ".service.orrery.localhost\r\n";

  private final Socket socket = new Socket();
  private final BooleanSupplier over;
  private long written;

  HostilePeer(int port, BooleanSupplier over) throws IOException {
    this.over = over;
    socket.setReceiveBufferSize(RECEIVE_BUFFER);
    socket.setTcpNoDelay(true);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 5_000);
  }

  /** Whether the attack has come to its end. */
  boolean over() {
    return over.getAsBoolean() || written > MOST_BYTES;
  }

  HostilePeer write(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    written += bytes.length;
    return this;
  }

  HostilePeer write(String text) throws IOException {
    return write(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** A request line and its Host, without the empty line. */
  HostilePeer begin(String line, String service) throws IOException {
    return write(line + " HTTP/1.1\r\nHost: " + service + HOST);
  }

  /** A whole request without a body, in the form that takes the way of bytes. */
  static String plain(String path) {
    return "GET " + path + " HTTP/1.1\r\nHost: a" + HOST + "\r\n";
  }

  /** The same in the form that takes the general way. */
  static String general(String path) {
    return "GET http://a.service.orrery.localhost" + path + " HTTP/1.1\r\nHost: a" + HOST + "\r\n";
  }

  /** Reads one byte; -1 at the end. */
  int read() throws IOException {
    return socket.getInputStream().read();
  }

  /** Reads so many bytes. */
  byte[] read(int count) throws IOException {
    byte[] bytes = socket.getInputStream().readNBytes(count);
    if (bytes.length < count) {
      throw new IOException("closed");
    }
    return bytes;
  }

  /** Reads and forgets until the router closes, or the attack ends. */
  void drain() throws IOException {
    InputStream in = socket.getInputStream();
    byte[] buffer = new byte[16 * 1024];
    while (!over() && in.read(buffer) >= 0) {
      // Nothing of it is wanted.
    }
  }

  /** Reads the head of an answer. */
  String head() throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0 && head.length() < 64 * 1024) {
      int next = read();
      if (next < 0) {
        throw new IOException("closed");
      }
      head.append((char) next);
    }
    return head.toString();
  }

  /** Does nothing until the attack ends. */
  void hold() throws InterruptedException {
    while (!over()) {
      Thread.sleep(50);
    }
  }

  void sleep(int millis) throws InterruptedException {
    Thread.sleep(millis);
  }

  void endOutput() throws IOException {
    socket.shutdownOutput();
  }

  /** Closes with a reset instead of an end. */
  void reset() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
