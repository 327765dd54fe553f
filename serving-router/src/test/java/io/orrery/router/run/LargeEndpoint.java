package io.orrery.router.run;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An endpoint that answers {@code /small} with a word when it has its body, sends 10 MB for {@code
 * /} and {@code /large}, accepts any upgrade and then sends without end, and reads no more after
 * the head of {@code /sink}.
 */
final class LargeEndpoint implements AutoCloseable {
  private static final int LARGE = 10 << 20;

  private final ServerSocket server;
  private final AtomicInteger large = new AtomicInteger();
  private final AtomicInteger small = new AtomicInteger();
  private final AtomicLong sent = new AtomicLong();
  private final List<Socket> open = new CopyOnWriteArrayList<>();

  LargeEndpoint() throws IOException {
    server = new ServerSocket(0, 2_000, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  String address() {
    return "127.0.0.1:" + server.getLocalPort();
  }

  /** Requests for what is large, or never ends. */
  int large() {
    return large.get();
  }

  /** Requests for a head alone. */
  int small() {
    return small.get();
  }

  /** Bytes that were sent in answer to them. */
  long sent() {
    return sent.get();
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = server.accept();
        open.add(socket);
        Thread.ofVirtual().start(() -> serve(socket));
      }
    } catch (IOException closed) {
      // The test is over.
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      InputStream in = new BufferedInputStream(socket.getInputStream());
      while (true) {
        String head = head(in);
        if (head.isEmpty()) {
          return;
        }
        if (head.startsWith("HEAD ")) {
          small.incrementAndGet();
          say(socket, "HTTP/1.1 200 OK\r\nX-Long: " + "x".repeat(4_000) + "\r\n\r\n");
        } else if (head.contains(" /small ")) {
          in.skipNBytes(length(head));
          say(socket, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nsmall");
        } else if (head.contains(" /sink ")) {
          large.incrementAndGet();
          Thread.sleep(600_000);
        } else if (head.toLowerCase(Locale.ROOT).contains("\r\nupgrade:")) {
          large.incrementAndGet();
          say(
              socket,
              "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n");
          send(socket, Long.MAX_VALUE);
        } else {
          large.incrementAndGet();
          say(socket, "HTTP/1.1 200 OK\r\nContent-Length: " + LARGE + "\r\n\r\n");
          send(socket, LARGE);
        }
      }
    } catch (IOException cut) {
      // By the router, or by the end of the test.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static String head(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    for (int next = in.read(); next >= 0; next = in.read()) {
      head.append((char) next);
      if (next == '\n'
          && head.length() >= 4
          && head.substring(head.length() - 4).equals("\r\n\r\n")) {
        return head.toString();
      }
    }
    return "";
  }

  private static int length(String head) {
    return head.lines()
        .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("content-length:"))
        .mapToInt(line -> Integer.parseInt(line.substring(15).strip()))
        .findFirst()
        .orElse(0);
  }

  private static void say(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
  }

  private void send(Socket socket, long bytes) throws IOException {
    OutputStream out = socket.getOutputStream();
    byte[] piece = new byte[16 * 1024];
    for (long left = bytes; left > 0; left -= piece.length) {
      out.write(piece, 0, (int) Math.min(left, piece.length));
      sent.addAndGet(piece.length);
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
