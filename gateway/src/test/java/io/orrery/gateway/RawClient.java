package io.orrery.gateway;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;

/** Speaks HTTP by hand, to say what a well-behaved client will not. */
public final class RawClient implements AutoCloseable {
  private final Socket socket;

  RawClient(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(20_000);
  }

  /**
   * @param buffer how many bytes that are not read the system may take in
   */
  RawClient(int port, int buffer) throws IOException {
    socket = new Socket();
    socket.setReceiveBufferSize(buffer);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    socket.setSoTimeout(20_000);
  }

  public RawClient write(String text) throws IOException {
    return write(text.getBytes(StandardCharsets.ISO_8859_1), text.length());
  }

  public RawClient write(byte[] bytes, int length) throws IOException {
    socket.getOutputStream().write(bytes, 0, length);
    socket.getOutputStream().flush();
    return this;
  }

  /** One answer with its body; the body's length is taken from Content-Length. */
  public String answer() throws IOException {
    InputStream in = socket.getInputStream();
    ByteArrayOutputStream seen = new ByteArrayOutputStream();
    while (!seen.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
      int next = in.read();
      if (next < 0) {
        return seen.toString(StandardCharsets.ISO_8859_1);
      }
      seen.write(next);
    }
    String head = seen.toString(StandardCharsets.ISO_8859_1);
    int length =
        head.lines()
            .filter(line -> line.toLowerCase(java.util.Locale.ROOT).startsWith("content-length:"))
            .mapToInt(line -> Integer.parseInt(line.substring(15).strip()))
            .findFirst()
            .orElse(0);
    return head + new String(in.readNBytes(length), StandardCharsets.UTF_8);
  }

  /** Everything until the server closes the connection. */
  public String rest() throws IOException {
    ByteArrayOutputStream seen = new ByteArrayOutputStream();
    try {
      socket.getInputStream().transferTo(seen);
    } catch (SocketException reset) {
      // Closed with something unread: closed all the same.
    }
    return seen.toString(StandardCharsets.ISO_8859_1);
  }

  /** Whatever has come, at least one byte. */
  public String piece() throws IOException {
    byte[] buffer = new byte[1 << 16];
    int read = socket.getInputStream().read(buffer);
    return read < 0 ? "" : new String(buffer, 0, read, StandardCharsets.ISO_8859_1);
  }

  /** Reads a little and no more. */
  public byte[] some(int bytes) throws IOException {
    return socket.getInputStream().readNBytes(bytes);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
