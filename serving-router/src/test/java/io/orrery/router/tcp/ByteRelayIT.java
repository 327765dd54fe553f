package io.orrery.router.tcp;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.orrery.core.problem.ProblemException;
import io.orrery.core.route.PortRange;
import io.orrery.router.health.Departures.Departed;
import io.orrery.router.route.ClientLimits;
import io.orrery.router.route.RouteReader;
import io.orrery.router.route.RouteTable;
import io.orrery.router.route.RouterFile;
import io.orrery.router.route.TcpListen;
import io.orrery.router.run.Router;
import io.orrery.router.telemetry.Exposition;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Connections to services that are reached by a port. */
class ByteRelayIT {
  private static final String DOMAIN = "orrery.localhost";
  private static final TcpListen ANY_PORT =
      new TcpListen("127.0.0.1", new PortRange(1_024, 65_535));

  private final List<AutoCloseable> open = new ArrayList<>();
  private Router router;

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
    if (router != null) {
      router.close();
    }
  }

  private <T extends AutoCloseable> T opened(T closeable) {
    open.add(closeable);
    return closeable;
  }

  private static RouteTable table(String services) {
    return RouteReader.read("services:\n" + services, DOMAIN);
  }

  private void route(String services) {
    route(services, ClientLimits.standard(), 2);
  }

  private void route(String services, ClientLimits limits, int loops) {
    router =
        Router.start(
            new RouterFile.Listen(
                new RouterFile.Address("127.0.0.1", 0),
                loops,
                List.of(),
                true,
                false,
                limits,
                ANY_PORT),
            table(services),
            null,
            null);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static String service(String name, int port, TcpEndpoint... endpoints) {
    return service(name, port, "", endpoints);
  }

  private static String service(String name, int port, String more, TcpEndpoint... endpoints) {
    List<String> all = Arrays.stream(endpoints).map(one -> '"' + one.address() + '"').toList();
    return "  - {name: %s, tcp: {port: %d}, endpoints: [%s]%s}\n"
        .formatted(name, port, String.join(", ", all), more);
  }

  /** Connects as soon as the router listens. */
  private Socket connect(int port) {
    Socket[] socket = new Socket[1];
    await()
        .atMost(10, SECONDS)
        .ignoreException(java.net.ConnectException.class)
        .until(() -> (socket[0] = new Socket(InetAddress.getLoopbackAddress(), port)) != null);
    return opened(socket[0]);
  }

  private static String line(Socket socket) throws IOException {
    StringBuilder line = new StringBuilder();
    InputStream in = socket.getInputStream();
    for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
      line.append((char) c);
    }
    return line.toString();
  }

  private static void say(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
  }

  private double metric(String series) {
    Exposition out = new Exposition();
    router.meters().expose(out);
    return out.toString()
        .lines()
        .filter(line -> line.startsWith(series))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  @Test
  void bytesPassBothWaysAndAnEndOfOneWayLeavesTheOtherOpen() throws Exception {
    TcpEndpoint sum =
        opened(
            new TcpEndpoint((in, out) -> {
              byte[] all = in.readAllBytes();
              out.write(("heard " + all.length + " bytes\n").getBytes(StandardCharsets.UTF_8));
            }));
    int port = freePort();
    route(service("db", port, sum));
    Socket socket = connect(port);
    byte[] much = new byte[3_000_000];
    new Random(1).nextBytes(much);

    socket.getOutputStream().write(much);
    socket.shutdownOutput();

    assertThat(new BufferedReader(new InputStreamReader(socket.getInputStream())).lines().toList())
        .containsExactly("heard 3000000 bytes");
    await().atMost(10, SECONDS).until(() -> sum.open() == 0);
    assertThat(metric("orrery_router_tcp_bytes_total{service=\"db\",from=\"client\"}"))
        .isEqualTo(3_000_000);
    assertThat(metric("orrery_router_tcp_connections_total{service=\"db\"}")).isEqualTo(1);
    await().atMost(10, SECONDS).until(() -> metric("orrery_router_connections") == 0);
  }

  @Test
  void whatAnEndpointSendsComesWholeAlsoAfterItsEnd() throws Exception {
    byte[] much = new byte[5_000_000];
    new Random(2).nextBytes(much);
    TcpEndpoint source = opened(new TcpEndpoint((in, out) -> out.write(much)));
    int port = freePort();
    route(service("db", port, source));

    assertThat(connect(port).getInputStream().readAllBytes()).isEqualTo(much);
  }

  @Test
  void anEndpointWaitsForAClientThatDoesNotRead() throws Exception {
    AtomicLong written = new AtomicLong();
    TcpEndpoint source =
        opened(
            new TcpEndpoint((in, out) -> {
              byte[] piece = new byte[64 * 1024];
              for (int i = 0; i < 4_000; i++) {
                out.write(piece);
                written.addAndGet(piece.length);
              }
            }));
    int port = freePort();
    route(service("db", port, source));
    Socket socket = connect(port);
    socket.getInputStream().read();
    long[] last = {-1};
    await()
        .atMost(20, SECONDS)
        .pollInterval(java.time.Duration.ofMillis(500))
        .until(() -> last[0] == (last[0] = written.get()));

    // What waits is in the buffers of the system (some megabytes) and 64 KB of the router.
    assertThat(last[0]).isLessThan(64_000_000);
    await()
        .atMost(5, SECONDS)
        .untilAsserted(() -> assertThat(metric("orrery_router_held_bytes")).isBetween(1.0, 1e6));

    assertThat(socket.getInputStream().readAllBytes()).hasSize(4_000 * 64 * 1024 - 1);
  }

  @Test
  void theEndpointWithTheFewestConnectionsGetsTheNext() throws Exception {
    TcpEndpoint a = opened(TcpEndpoint.echo("a"));
    TcpEndpoint b = opened(TcpEndpoint.echo("b"));
    TcpEndpoint c = opened(TcpEndpoint.echo("c"));
    int port = freePort();
    route(service("db", port, a, b, c));
    List<String> names = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      names.add(line(connect(port)));
    }

    assertThat(names.stream().filter("a"::equals)).hasSize(3);
    assertThat(names.stream().filter("b"::equals)).hasSize(3);
    assertThat(names.stream().filter("c"::equals)).hasSize(3);
  }

  @Test
  void aConnectionThatAnEndpointRefusesGoesToAnother() throws Exception {
    TcpEndpoint gone = TcpEndpoint.echo("gone");
    TcpEndpoint there = opened(TcpEndpoint.echo("there"));
    int port = freePort();
    route(service("db", port, gone, there));
    gone.close();

    for (int i = 0; i < 10; i++) {
      Socket socket = connect(port);
      assertThat(line(socket)).isEqualTo("there");
    }
  }

  @Test
  void withoutAnEndpointAConnectionEndsAtOnce() throws Exception {
    int port = freePort();
    route(service("db", port));

    assertThatThrownBy(
            () -> {
              Socket socket = connect(port);
              if (socket.getInputStream().read() < 0) {
                throw new SocketException("closed");
              }
            })
        .isInstanceOf(SocketException.class);
    assertThat(metric("orrery_router_refusals_total{reason=\"no_endpoint\"}")).isEqualTo(1);
  }

  @Test
  void aReplacedEndpointKeepsItsConnectionsAndNewOnesGoToItsSuccessor() throws Exception {
    TcpEndpoint old = opened(TcpEndpoint.echo("old"));
    TcpEndpoint fresh = opened(TcpEndpoint.echo("fresh"));
    int port = freePort();
    route(service("db", port, old));
    Socket first = connect(port);
    assertThat(line(first)).isEqualTo("old");

    router.inbox().accept(table(service("db", port, fresh)));

    assertThat(line(connect(port))).isEqualTo("fresh");
    say(first, "still here\n");
    assertThat(line(first)).isEqualTo("still here");
    assertThat(departed()).containsExactly("db 1");
    first.close();
    await().atMost(10, SECONDS).until(() -> departed().isEmpty());
  }

  private List<String> departed() {
    return router.inbox().current().departures().all().stream()
        .map((Departed one) -> one.service() + " " + one.outstanding())
        .toList();
  }

  @Test
  void aPortThatLeavesTheTableIsGivenBackAndItsConnectionsGoOn() throws Exception {
    TcpEndpoint echo = opened(TcpEndpoint.echo("a"));
    int port = freePort();
    route(service("db", port, echo));
    Socket first = connect(port);
    assertThat(line(first)).isEqualTo("a");

    router.inbox().accept(table("  - {name: other}\n"));

    await()
        .atMost(10, SECONDS)
        .untilAsserted(() -> {
          try (ServerSocket taken = new ServerSocket()) {
            taken.setReuseAddress(true);
            taken.bind(new java.net.InetSocketAddress("127.0.0.1", port));
          }
        });
    say(first, "still here\n");
    assertThat(line(first)).isEqualTo("still here");
  }

  @Test
  void aBusyPortIsRefusedByNameAndOneThatBecomesFreeIsListenedOn() throws Exception {
    TcpEndpoint echo = opened(TcpEndpoint.echo("a"));
    ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    int port = other.getLocalPort();
    route("  - {name: x}\n");
    String wanted = "services:\n" + service("db", port, echo);

    assertThatThrownBy(() -> router.inbox().replace(wanted, null))
        .isInstanceOf(ProblemException.class)
        .hasMessageContaining("port " + port + " of 127.0.0.1 is in use by another program");
    assertThat(router.inbox().current().state("db")).isNull();

    router.close();
    route(service("db", port, echo));
    other.close();
    assertThat(line(connect(port))).isEqualTo("a");
  }

  @Test
  void aClientHasNoMoreConnectionsThanItMay() throws Exception {
    TcpEndpoint echo = opened(TcpEndpoint.echo("a"));
    int port = freePort();
    ClientLimits limits = ClientLimits.of(8_000_000, 8);
    route(service("db", port, echo), limits, 1);
    for (int i = 0; i < limits.connectionsPerClient(); i++) {
      assertThat(line(connect(port))).isEqualTo("a");
    }

    Socket beyond = connect(port);

    assertThat(beyond.getInputStream().read()).isEqualTo(-1);
    assertThat(metric("orrery_router_connections_refused_total")).isEqualTo(1);
  }

  @Test
  void aSilentConnectionIsEndedAfterItsIdleTime() throws Exception {
    TcpEndpoint echo = opened(TcpEndpoint.echo("a"));
    int port = freePort();
    route(service("db", port, ", timeout: {idle: 300ms}", echo));
    Socket socket = connect(port);
    assertThat(line(socket)).isEqualTo("a");

    assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(SocketException.class);
    await().atMost(10, SECONDS).until(() -> echo.open() == 0);
  }

  @Test
  void aResetOfOneSideIsOneForTheOther() throws Exception {
    CountDownLatch broken = new CountDownLatch(1);
    TcpEndpoint listener =
        opened(
            new TcpEndpoint((in, out) -> {
              out.write('\n');
              try {
                in.readAllBytes();
              } catch (SocketException reset) {
                broken.countDown();
              }
            }));
    int port = freePort();
    route(service("db", port, listener));
    Socket socket = connect(port);
    line(socket);

    socket.setSoLinger(true, 0);
    socket.close();

    assertThat(broken.await(10, SECONDS)).isTrue();
  }

  @Test
  void aDrainWaitsForOpenConnections() throws Exception {
    TcpEndpoint echo = opened(TcpEndpoint.echo("a"));
    int port = freePort();
    route(service("db", port, echo));
    Socket socket = connect(port);
    assertThat(line(socket)).isEqualTo("a");
    CountDownLatch drained = new CountDownLatch(1);

    Thread.ofVirtual()
        .start(() -> {
          router.drain(20);
          drained.countDown();
        });
    await()
        .atMost(10, SECONDS)
        .untilAsserted(() ->
            assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), port).close())
                .isInstanceOf(java.net.ConnectException.class));
    say(socket, "last words\n");
    assertThat(line(socket)).isEqualTo("last words");
    assertThat(drained.getCount()).isEqualTo(1);
    socket.close();

    assertThat(drained.await(10, SECONDS)).isTrue();
  }
}
