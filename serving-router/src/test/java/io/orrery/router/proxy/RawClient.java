package io.orrery.router.proxy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Speaks HTTP by hand, to say what a well-behaved client will not. */
final class RawClient implements AutoCloseable {
  private final Socket socket;

  RawClient(int port) throws IOException {
    this(new Socket(InetAddress.getLoopbackAddress(), port));
  }

  private RawClient(Socket socket) throws IOException {
    this.socket = socket;
    socket.setSoTimeout(20_000);
  }

  /** One that speaks TLS where the way does. */
  static RawClient to(int port, Way way) throws IOException {
    return of(new Socket(InetAddress.getLoopbackAddress(), port), port, way);
  }

  /** The same of another client: one with an address of its own on this machine. */
  static RawClient from(String address, int port, Way way) throws IOException {
    InetAddress own = InetAddress.ofLiteral(address);
    return of(new Socket(InetAddress.getLoopbackAddress(), port, own, 0), port, way);
  }

  private static RawClient of(Socket plain, int port, Way way) throws IOException {
    return new RawClient(
        way.overTls()
            ? TestCertificates.trusting()
                .getSocketFactory()
                .createSocket(plain, "a.service.orrery.localhost", port, true)
            : plain);
  }

  RawClient write(String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    socket.getOutputStream().flush();
    return this;
  }

  /** The head of one answer. */
  String head() throws IOException {
    InputStream in = socket.getInputStream();
    ByteArrayOutputStream seen = new ByteArrayOutputStream();
    while (!seen.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
      int next = in.read();
      if (next < 0) {
        break;
      }
      seen.write(next);
    }
    return seen.toString(StandardCharsets.ISO_8859_1);
  }

  /** One answer with its body, whose length is taken from Content-Length. */
  String answer() throws IOException {
    String head = head();
    int length =
        head.lines()
            .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("content-length:"))
            .mapToInt(line -> Integer.parseInt(line.substring(15).strip()))
            .findFirst()
            .orElse(0);
    return head + some(length);
  }

  /** So many bytes. */
  String some(int bytes) throws IOException {
    return new String(socket.getInputStream().readNBytes(bytes), StandardCharsets.ISO_8859_1);
  }

  /** Everything until the router closes the connection. */
  String rest() throws IOException {
    ByteArrayOutputStream seen = new ByteArrayOutputStream();
    try {
      socket.getInputStream().transferTo(seen);
    } catch (SocketException reset) {
      // Closed with something unread: closed all the same.
    }
    return seen.toString(StandardCharsets.ISO_8859_1);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
