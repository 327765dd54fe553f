package io.orrery.benchmarks.router.part;

import com.sun.management.ThreadMXBean;
import io.orrery.benchmarks.report.ResultTable;
import io.orrery.router.route.RouteReader;
import io.orrery.router.route.RouterFile.Address;
import io.orrery.router.route.RouterFile.Listen;
import io.orrery.router.run.Router;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The time and the bytes that an event loop needs for a request that it forwards, from socket to
 * socket, on either way. Its parts are measured by {@code RoutingJmh} and {@code HeadersJmh}.
 */
public final class PartsBenchmark {
  private static final int REQUESTS = 20_000;
  private static final byte[] REQUEST =
      message(
          "GET /v2/infer HTTP/1.1",
          "Host: s0.service.orrery.localhost",
          "User-Agent: load",
          "Accept: */*",
          "",
          "");

  private static final byte[] ANSWER =
      message(
          "HTTP/1.1 200 OK",
          "Server: endpoint",
          "Content-Type: text/plain",
          "Content-Length: 5",
          "",
          "hello");

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private record Cost(double nanos, double bytes) {}

  /** Runs it and prints the table; a JSON line for each part. */
  public List<Map<String, Object>> run() throws IOException {
    ResultTable table = new ResultTable("part", "ns", "bytes allocated");
    List<Map<String, Object>> lines = new ArrayList<>();
    tell(table, lines, "a whole GET, as bytes", request(true));
    tell(table, lines, "a whole GET, over the API of Vert.x", request(false));
    System.out.println(table);
    return lines;
  }

  private static byte[] message(String... lines) {
    return String.join("\r\n", lines).getBytes(StandardCharsets.US_ASCII);
  }

  /** Through a router of this process, over one connection, to an endpoint of this process. */
  private Cost request(boolean fastPath) throws IOException {
    try (ServerSocket endpoint = new ServerSocket(0, 16, InetAddress.getLoopbackAddress())) {
      Thread.ofPlatform().daemon().start(() -> serve(endpoint));
      String service =
          "services:\n  - {name: s0, endpoints: [\"127.0.0.1:" + endpoint.getLocalPort() + "\"]}\n";
      Listen listen = new Listen(new Address("127.0.0.1", 0), 1, List.of(), fastPath, false);
      try (Router router =
              Router.start(listen, RouteReader.read(service, PartTables.DOMAIN), null, null);
          Socket client = new Socket(InetAddress.getLoopbackAddress(), router.port())) {
        client.setTcpNoDelay(true);
        ask(client, REQUESTS);
        long loops = loopBytes();
        long begin = System.nanoTime();
        ask(client, REQUESTS);
        double nanos = (System.nanoTime() - begin) / (double) REQUESTS;
        return new Cost(nanos, (loopBytes() - loops) / (double) REQUESTS);
      }
    }
  }

  private long loopBytes() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("vert.x-eventloop"))
        .mapToLong(thread -> threads.getThreadAllocatedBytes(thread.threadId()))
        .sum();
  }

  private static void ask(Socket client, int requests) throws IOException {
    InputStream in = client.getInputStream();
    OutputStream out = client.getOutputStream();
    byte[] buffer = new byte[4_096];
    for (int i = 0; i < requests; i++) {
      out.write(REQUEST);
      int length = 0;
      // The answer ends with the body that it is known to have.
      while (length == 0 || buffer[length - 1] != 'o') {
        int read = in.read(buffer, length, buffer.length - length);
        if (read < 0) {
          throw new IOException("the router closed the connection");
        }
        length += read;
      }
    }
  }

  private static void serve(ServerSocket endpoint) {
    try (Socket socket = endpoint.accept()) {
      socket.setTcpNoDelay(true);
      byte[] buffer = new byte[4_096];
      int length = 0;
      for (int read = 0; read >= 0; read = socket.getInputStream().read(buffer, length, 2_048)) {
        length += read;
        if (length >= 4 && buffer[length - 1] == '\n' && buffer[length - 3] == '\n') {
          socket.getOutputStream().write(ANSWER);
          length = 0;
        }
      }
    } catch (IOException over) {
      // The benchmark has closed the socket.
    }
  }

  private static void tell(
      ResultTable table, List<Map<String, Object>> lines, String part, Cost cost) {
    table.row(
        part,
        String.format(Locale.ROOT, "%,.1f", cost.nanos()),
        String.format(Locale.ROOT, "%,.0f", cost.bytes()));
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("part", part);
    line.put("nanos", cost.nanos());
    line.put("bytes", cost.bytes());
    lines.add(line);
  }
}
