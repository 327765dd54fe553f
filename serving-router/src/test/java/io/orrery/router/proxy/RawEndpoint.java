package io.orrery.router.proxy;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** An endpoint that says what a well-behaved server will not. */
final class RawEndpoint implements AutoCloseable {
  private final ServerSocket server;
  private final Function<String, String> answers;
  private final List<Socket> open = new CopyOnWriteArrayList<>();

  /**
   * @param answers what is said to the head of a request, to the last byte; a connection is closed
   *     after one that ends with {@code ^}
   */
  RawEndpoint(Function<String, String> answers) throws IOException {
    this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    this.answers = answers;
    Thread.ofVirtual().start(this::accept);
  }

  String address() {
    return "127.0.0.1:" + server.getLocalPort();
  }

  /** How many were ever made to it. */
  int connections() {
    return open.size();
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
      StringBuilder head = new StringBuilder();
      for (int next = in.read(); next >= 0; next = in.read()) {
        head.append((char) next);
        if (next == '\n' && endsWithAnEmptyLine(head)) {
          String answer = answers.apply(head.toString());
          boolean last = answer.endsWith("^");
          socket
              .getOutputStream()
              .write(
                  (last ? answer.substring(0, answer.length() - 1) : answer)
                      .getBytes(StandardCharsets.ISO_8859_1));
          if (last) {
            return;
          }
          head.setLength(0);
        }
      }
    } catch (IOException cut) {
      // By the router, or by the end of the test.
    }
  }

  /** Without a look at all of it, which may be a long body. */
  private static boolean endsWithAnEmptyLine(StringBuilder told) {
    return told.length() >= 4 && told.substring(told.length() - 4).equals("\r\n\r\n");
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (Socket socket : open) {
      socket.close();
    }
  }
}
