package io.orrery.benchmarks.router.hostile;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The endpoints behind the router, each a port of HTTP/1.1: one that answers by what its path says,
 * and a shadow that never answers.
 */
final class Endpoints implements AutoCloseable {
  private static final byte[] PIECE = new byte[64 * 1024];

  private final ServerSocket answering = open();
  private final ServerSocket silent = open();
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

  Endpoints() throws IOException {
    Thread.ofVirtual().start(() -> accept(answering, false));
    Thread.ofVirtual().start(() -> accept(silent, true));
  }

  private static ServerSocket open() throws IOException {
    return new ServerSocket(0, 1024, InetAddress.getLoopbackAddress());
  }

  int answering() {
    return answering.getLocalPort();
  }

  int silent() {
    return silent.getLocalPort();
  }

  private void accept(ServerSocket server, boolean keepsSilent) {
    try {
      while (true) {
        Socket socket = server.accept();
        sockets.add(socket);
        Thread.ofVirtual().start(() -> serve(socket, keepsSilent));
      }
    } catch (IOException closed) {
      // The program has come to its end.
    }
  }

  private void serve(Socket socket, boolean keepsSilent) {
    try (socket) {
      socket.setTcpNoDelay(true);
      InputStream in = new BufferedInputStream(socket.getInputStream(), 16 * 1024);
      while (!keepsSilent && exchange(in, socket.getOutputStream())) {
        // One request after the other.
      }
      while (keepsSilent && in.read() >= 0) {
        // Takes what comes and says nothing.
      }
    } catch (IOException | InterruptedException cut) {
      // By the router.
    } finally {
      sockets.remove(socket);
    }
  }

  private static boolean exchange(InputStream in, OutputStream out)
      throws IOException, InterruptedException {
    String line = line(in);
    long length = 0;
    for (String field = line(in); !field.isEmpty(); field = line(in)) {
      String lower = field.toLowerCase(Locale.ROOT);
      if (lower.startsWith("content-length:")) {
        length = Long.parseLong(field.substring(15).strip());
      } else if (lower.startsWith("transfer-encoding:")) {
        length = -1;
      }
    }
    String path = line.split(" ", 3)[1];
    if (path.startsWith("/unread") || path.startsWith("/silent")) {
      Thread.sleep(Long.MAX_VALUE);
    }
    if (path.startsWith("/socket")) {
      socket(path, in, out);
      return false;
    }
    if (path.startsWith("/endless")) {
      endless(out);
    }
    readBody(in, length);
    answer(path, out);
    return true;
  }

  private static void answer(String path, OutputStream out) throws IOException {
    long bytes = path.startsWith("/bytes/") ? Long.parseLong(path.substring(7)) : 2;
    out.write(head("200 OK", "Content-Length: " + bytes));
    for (long left = bytes; left > 0; left -= PIECE.length) {
      out.write(PIECE, 0, (int) Math.min(left, PIECE.length));
    }
    out.flush();
  }

  private static void endless(OutputStream out) throws IOException {
    out.write(head("200 OK", "Transfer-Encoding: chunked"));
    byte[] size = (Integer.toHexString(PIECE.length) + "\r\n").getBytes(StandardCharsets.US_ASCII);
    while (true) {
      out.write(size);
      out.write(PIECE);
      out.write('\r');
      out.write('\n');
    }
  }

  /** Grants the upgrade, and then floods, or reads nothing, or reads all. */
  private static void socket(String path, InputStream in, OutputStream out)
      throws IOException, InterruptedException {
    out.write(head("101 Switching Protocols", "Connection: Upgrade\r\nUpgrade: websocket"));
    if (path.equals("/socket-unread")) {
      Thread.sleep(Long.MAX_VALUE);
    }
    while (path.equals("/socket-flood")) {
      out.write(PIECE);
    }
    while (in.read() >= 0) {
      // Nothing of it is answered.
    }
  }

  private static byte[] head(String status, String field) {
    return ("HTTP/1.1 " + status + "\r\n" + field + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
  }

  private static void readBody(InputStream in, long length) throws IOException {
    if (length >= 0) {
      in.skipNBytes(length);
      return;
    }
    long size = size(line(in));
    while (size > 0) {
      in.skipNBytes(size + 2);
      size = size(line(in));
    }
    while (!line(in).isEmpty()) {
      // A trailer.
    }
  }

  private static long size(String line) {
    int end = line.indexOf(';');
    return Long.parseLong((end < 0 ? line : line.substring(0, end)).strip(), 16);
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new IOException("closed");
      }
      line.append((char) next);
    }
    return line.toString().stripTrailing();
  }

  @Override
  public void close() throws IOException {
    answering.close();
    silent.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
