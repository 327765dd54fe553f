package io.orrery.journeys.router;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orrery.journeys.ServerProcess;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * A test of hostile clients of the router of a server (E1, E2), against the process as its launcher
 * starts it: API and router go on answering, and its memory stays below the bound of
 * docs/router.md.
 */
class HostileClientsIT {
  private static final Pattern READY = Pattern.compile("router is ready at http://[^:]+:(\\d+)");
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String HOST = "Host: a.service.orrery.localhost\r\n";

  /** Megabytes of resident memory. */
  private static final int MOST_MEGABYTES = 1_024;

  @TempDir Path home;
  private final List<AutoCloseable> open = new CopyOnWriteArrayList<>();
  private final AtomicLong moved = new AtomicLong();
  private int port;

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aServerOutlivesHostileClientsOfItsRouter() throws Exception {
    ServerSocket endpoint = listening(this::answer);
    ServerSocket silent = listening(socket -> {});
    try (ServerProcess server =
        ServerProcess.begin(home, List.of("--port", "0", "--router-port", "0"), Map.of()).ready()) {
      await().atMost(PATIENCE).until(() -> READY.matcher(server.log()).find());
      Matcher ready = READY.matcher(server.log());
      assertThat(ready.find()).isTrue();
      port = Integer.parseInt(ready.group(1));
      String table =
          "services: [{name: a, endpoints: ['%s'], mirror: 'm:100%%'}, {name: m, endpoints: ['%s']}]"
              .formatted(address(endpoint), address(silent));
      assertThat(server.send("PUT", "/routes", BodyPublishers.ofString(table)).statusCode())
          .isEqualTo(200);

      // Fewer requests than the endpoint may have connections.
      for (int i = 0; i < 3; i++) {
        askWithoutWindows();
      }
      for (int i = 0; i < 150; i++) {
        write(client(), "GET /large HTTP/1.1\r\n" + HOST + "\r\n");
        write(client(), "GET /large HTTP/1.1\r\n" + HOST + "TE: trailers\r\n\r\n");
      }
      for (int i = 0; i < 50; i++) {
        upload("/sink", 100_000_000);
        upload("/small", 60_000);
      }
      awaitStandstill(server);

      for (int i = 0; i < 20; i++) {
        assertThat(ask("")).as(server.log()).endsWith("small");
        assertThat(ask("TE: trailers\r\n")).as(server.log()).endsWith("small");
        assertThat(server.get("/experiments").get("items").size()).isZero();
      }
      assertThat(peakMegabytes(server.pid())).isLessThan(MOST_MEGABYTES);
    }
  }

  private static String address(ServerSocket server) {
    return "127.0.0.1:" + server.getLocalPort();
  }

  private Socket client() throws IOException {
    Socket socket = new Socket();
    open.add(socket);
    socket.setReceiveBufferSize(4096);
    socket.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 1, 2}), 0));
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    return socket;
  }

  private static void write(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
  }

  /** A hundred streams of HTTP/2 whose windows are 0. */
  private void askWithoutWindows() throws IOException {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    said.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    said.writeBytes(frame(4, 0, 0, ByteBuffer.allocate(6).putShort((short) 4).array()));
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    head.writeBytes(new byte[] {(byte) 0x82, (byte) 0x86}); // GET, http (RFC 7541 appendix A)
    field(head, 4, "/large");
    field(head, 1, "a.service.orrery.localhost");
    for (int stream = 1; stream < 200; stream += 2) {
      said.writeBytes(frame(1, 5, stream, head.toByteArray()));
    }
    client().getOutputStream().write(said.toByteArray());
  }

  private static byte[] frame(int type, int flags, int stream, byte[] payload) {
    return ByteBuffer.allocate(9 + payload.length)
        .putShort((short) (payload.length >> 8))
        .put((byte) payload.length)
        .put((byte) type)
        .put((byte) flags)
        .putInt(stream)
        .put(payload)
        .array();
  }

  /** A field whose name is of the static table, not indexed (RFC 7541 section 6.2.2). */
  private static void field(ByteArrayOutputStream head, int name, String value) {
    head.write(name);
    head.write(value.length());
    head.writeBytes(value.getBytes(StandardCharsets.US_ASCII));
  }

  /** One body after the other, as fast as the router takes them. */
  private void upload(String path, int bytes) throws IOException {
    Socket socket = client();
    Thread.ofVirtual()
        .start(() -> {
          byte[] piece = new byte[20_000];
          try {
            for (int round = 0; round < 30; round++) {
              write(
                  socket,
                  "POST %s HTTP/1.1\r\n%sContent-Length: %d\r\n\r\n".formatted(path, HOST, bytes));
              for (int sent = 0; sent < bytes; sent += piece.length) {
                socket.getOutputStream().write(piece);
                moved.addAndGet(piece.length);
              }
              if (socket.getInputStream().read(new byte[1024]) < 0) {
                return;
              }
            }
          } catch (IOException cut) {
            // By the router, or by the end of the test.
          }
        });
  }

  /** Waits until no byte moves any more, or the server has ended. */
  private void awaitStandstill(ServerProcess server) {
    long[] before = {0};
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(500))
        .until(() -> {
          long now = moved.get();
          boolean still = now > 0 && now == before[0];
          before[0] = now;
          return still || !ProcessHandle.of(server.pid()).map(ProcessHandle::isAlive).orElse(false);
        });
  }

  private String ask(String more) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(20_000);
      write(socket, "GET /small HTTP/1.1\r\n" + HOST + more + "Connection: close\r\n\r\n");
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  private static double peakMegabytes(long pid) throws IOException {
    return Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
        .filter(line -> line.startsWith("VmHWM:"))
        .mapToDouble(line -> Double.parseDouble(line.replaceAll("\\D", "")) / 1_024)
        .findFirst()
        .orElseThrow();
  }

  /** Serves each connection on a thread of its own. */
  private interface Served {
    void serve(Socket socket) throws IOException;
  }

  private ServerSocket listening(Served served) throws IOException {
    ServerSocket server = new ServerSocket(0, 2_000, InetAddress.getLoopbackAddress());
    open.add(server);
    Thread.ofVirtual()
        .start(() -> {
          try {
            while (true) {
              Socket socket = server.accept();
              open.add(socket);
              Thread.ofVirtual().start(() -> quietly(served, socket));
            }
          } catch (IOException closed) {
            // The test is over.
          }
        });
    return server;
  }

  private static void quietly(Served served, Socket socket) {
    try {
      served.serve(socket);
    } catch (IOException cut) {
      // By the router, or by the end of the test.
    }
  }

  /** Answers /small at once, /large with 10 MB, and reads no body of /sink. */
  private void answer(Socket socket) throws IOException {
    InputStream in = new BufferedInputStream(socket.getInputStream());
    for (String head = head(in); !head.isEmpty(); head = head(in)) {
      if (head.contains(" /sink ")) {
        return;
      }
      if (head.contains(" /small ")) {
        Matcher length = Pattern.compile("(?i)content-length: (\\d+)").matcher(head);
        in.skipNBytes(length.find() ? Long.parseLong(length.group(1)) : 0);
        write(socket, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nsmall");
      } else {
        write(socket, "HTTP/1.1 200 OK\r\nContent-Length: 10000000\r\n\r\n");
        OutputStream out = socket.getOutputStream();
        byte[] piece = new byte[20_000];
        for (int sent = 0; sent < 10_000_000; sent += piece.length) {
          out.write(piece);
          moved.addAndGet(piece.length);
        }
      }
    }
  }

  private static String head(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    for (int next = in.read(); next >= 0; next = in.read()) {
      head.append((char) next);
      if (next == '\n'
          && head.length() > 3
          && head.substring(head.length() - 4).equals("\r\n\r\n")) {
        return head.toString();
      }
    }
    return "";
  }
}
