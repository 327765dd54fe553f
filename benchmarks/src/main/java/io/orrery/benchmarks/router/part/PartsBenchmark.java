package io.orrery.benchmarks.router.part;

import com.sun.management.ThreadMXBean;
import io.orrery.benchmarks.report.Quantiles;
import io.orrery.benchmarks.report.Table;
import io.orrery.router.route.RequestFacts;
import io.orrery.router.route.RouteReader;
import io.orrery.router.route.RouteTable;
import io.orrery.router.route.RouterFile.Address;
import io.orrery.router.route.RouterFile.Listen;
import io.orrery.router.route.Split;
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
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Look-up of a host, draw of a version, and the bytes that an event loop allocates for a request
 * that it forwards, headers rewritten and all. Each in-memory part is repeated until the compiler
 * has finished, then timed five times.
 */
public final class PartsBenchmark {
  private static final int TIMES = 5;
  private static final int OPERATIONS = 5_000_000;
  private static final int REQUESTS = 20_000;
  private static final String DOMAIN = "orrery.localhost";
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

  /** Where results go, so that no work can be left out. */
  private int sink;

  private record Cost(double nanos, double bytes) {}

  /** A request of which only the host matters. */
  private enum Plain implements RequestFacts {
    GET;

    @Override
    public String path() {
      return "/v2/infer";
    }

    @Override
    public @Nullable String header(String name) {
      return null;
    }

    @Override
    public @Nullable String cookie(String name) {
      return null;
    }

    @Override
    public String client() {
      return "127.0.0.1";
    }
  }

  /** Runs it and prints the table; a JSON line for each part. */
  public List<Map<String, Object>> run() throws IOException {
    Table table = new Table("part", "ns", "bytes allocated");
    List<Map<String, Object>> lines = new ArrayList<>();
    for (int domains : new int[] {1, 10_000, 100_000}) {
      RouteTable routes = RouteReader.read(services(domains), DOMAIN);
      String[] hosts = hosts(domains);
      Cost cost =
          cost(i -> {
            var found = routes.find(hosts[i & (hosts.length - 1)], Plain.GET);
            return found == null ? 0 : found.place();
          });
      tell(table, lines, "look-up of a host among " + domains, cost);
    }
    RouteTable divided = RouteReader.read(divided(), DOMAIN);
    Split split = divided.split(divided.services().getFirst());
    SplittableRandom random = new SplittableRandom(1);
    tell(table, lines, "draw among three versions", cost(i -> split.pick(random.nextDouble())));
    tell(table, lines, "a whole request", request());
    System.out.println(table);
    System.err.println("(" + sink + ")");
    return lines;
  }

  private static byte[] message(String... lines) {
    return String.join("\r\n", lines).getBytes(StandardCharsets.US_ASCII);
  }

  private static String services(int domains) {
    StringBuilder text = new StringBuilder("services:\n");
    for (int i = 0; i < domains; i++) {
      text.append("  - {name: s").append(i).append(", endpoints: [\"127.0.0.1:9\"]}\n");
    }
    return text.toString();
  }

  private static String divided() {
    return """
    services:
      - {name: a, endpoints: ["127.0.0.1:9"], split: "b:10%,c:5%"}
      - {name: b, endpoints: ["127.0.0.1:9"]}
      - {name: c, endpoints: ["127.0.0.1:9"]}
    """;
  }

  /** Not the strings that the table has, as little as those of a request are. */
  private static String[] hosts(int domains) {
    SplittableRandom random = new SplittableRandom(domains);
    String[] hosts = new String[4_096];
    for (int i = 0; i < hosts.length; i++) {
      hosts[i] = "s" + random.nextInt(domains) + ".service." + DOMAIN;
    }
    return hosts;
  }

  private Cost cost(IntUnaryOperator part) {
    double[] nanos = new double[TIMES];
    long thread = Thread.currentThread().threadId();
    long allocated = 0;
    for (int time = -TIMES; time < TIMES; time++) {
      long bytes = threads.getThreadAllocatedBytes(thread);
      long begin = System.nanoTime();
      for (int i = 0; i < OPERATIONS; i++) {
        sink += part.applyAsInt(i);
      }
      if (time >= 0) {
        nanos[time] = (System.nanoTime() - begin) / (double) OPERATIONS;
        allocated = threads.getThreadAllocatedBytes(thread) - bytes;
      }
    }
    return new Cost(new Quantiles(nanos).at(0.5), allocated / (double) OPERATIONS);
  }

  /** Through a router of this process, over one connection, to an endpoint of this process. */
  private Cost request() throws IOException {
    try (ServerSocket endpoint = new ServerSocket(0, 16, InetAddress.getLoopbackAddress())) {
      Thread.ofPlatform().daemon().start(() -> serve(endpoint));
      String service =
          "services:\n  - {name: s0, endpoints: [\"127.0.0.1:" + endpoint.getLocalPort() + "\"]}\n";
      Listen listen = new Listen(new Address("127.0.0.1", 0), 1, List.of());
      try (Router router = Router.start(listen, RouteReader.read(service, DOMAIN), null, null);
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

  private static void tell(Table table, List<Map<String, Object>> lines, String part, Cost cost) {
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
