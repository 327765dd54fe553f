package io.orrery.router.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.orrery.router.proxy.FrameClient;
import io.orrery.router.proxy.TestCertificates;
import io.orrery.router.route.RouterFile.Tls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The memory that clients can make a router hold, tried on a process with a heap of 96 MB: it goes
 * on serving others whatever they do (E1, E2).
 */
class HeldMemoryIT {
  private static final String HOST = "Host: a.service.orrery.localhost\r\n";
  private static final int PING = 6;
  private static final int GOAWAY = 7;
  private static final Duration PATIENCE = Duration.ofSeconds(50);

  /** Bytes that heap and buffers of the process together could not hold. */
  private static final long MORE_THAN_FITS = 256L << 20;

  /** Has the general way take a connection, where the fast way is on. */
  private static final String UNUSUAL = "TE: trailers\r\n";

  @TempDir Path directory;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final List<AutoCloseable> attackers = new ArrayList<>();
  private LargeEndpoint endpoint;
  private RouteProcess process;
  private final AtomicLong poured = new AtomicLong();
  private boolean manyClients;

  /** Whether the router's port speaks TLS. */
  private boolean tls;

  @BeforeEach
  void open() throws IOException {
    endpoint = new LargeEndpoint();
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : attackers) {
      each.close();
    }
    http.close();
    endpoint.close();
    if (process != null) {
      process.kill();
    }
  }

  private void launch() throws IOException {
    launch("{name: a, endpoints: [\"" + endpoint.address() + "\"]}");
  }

  private void launch(String services) throws IOException {
    Path file = directory.resolve("routes.yml");
    String secure = "";
    if (tls) {
      Tls files = TestCertificates.any();
      secure = ", tls: [{certificate: %s, key: %s}]".formatted(files.certificate(), files.key());
    }
    Files.writeString(
        file,
        "listen: {port: 0, loops: 1%s}\nadmin: {port: 0}\nservices: [%s]\n"
            .formatted(secure, services));
    process =
        RouteProcess.start(
            file, directory.resolve("log"), List.of("-Xmx96m", "-XX:+ExitOnOutOfMemoryError"));
    process.awaitReady();
  }

  /** Others are served, and nothing has ended the process. */
  private void othersAreServed() throws Exception {
    for (int i = 0; i < 20; i++) {
      assertThat(process.alive()).as(process.log()).isTrue();
      assertThat(ask("GET /small HTTP/1.1\r\n" + HOST + "Connection: close\r\n\r\n"))
          .endsWith("small");
      assertThat(ask("GET /small HTTP/1.1\r\n" + HOST + UNUSUAL + "Connection: close\r\n\r\n"))
          .endsWith("small");
    }
  }

  private String ask(String request) throws IOException {
    try (Socket socket = spoken(new Socket(InetAddress.getLoopbackAddress(), process.port()))) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    } catch (SocketException e) {
      throw new AssertionError(process.log(), e);
    }
  }

  /** The connection as it is, or TLS over it. */
  private Socket spoken(Socket socket) throws IOException {
    return tls
        ? TestCertificates.trusting()
            .getSocketFactory()
            .createSocket(socket, "a.service.orrery.localhost", process.port(), true)
        : socket;
  }

  private double metric(String name) throws Exception {
    return http.send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + process.admin() + "/metrics"))
                .build(),
            BodyHandlers.ofString())
        .body()
        .lines()
        .filter(line -> line.startsWith(name))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  /** An attacker's address: all are one client, unless the test says otherwise. */
  private InetAddress from() throws IOException {
    int number = manyClients ? 2 + attackers.size() % 200 : 2;
    return InetAddress.getByAddress(new byte[] {127, 0, 1, (byte) number});
  }

  private FrameClient frames() throws IOException {
    FrameClient client = new FrameClient(process.port(), from());
    attackers.add(client);
    return client;
  }

  private Socket plain(String said) throws IOException {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(4096);
    socket.bind(new InetSocketAddress(from(), 0));
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), process.port()));
    Socket speaking = spoken(socket);
    // Closed below TLS, which would have to send something first.
    attackers.add(socket);
    speaking.getOutputStream().write(said.getBytes(StandardCharsets.US_ASCII));
    return speaking;
  }

  /** All of them have been taken up or refused, and the endpoint can send no more. */
  private void awaitStandstill(int requests) {
    awaitTaken(requests);
    awaitStandstill(endpoint::sent);
  }

  /** All of them have been taken up or refused. */
  private void awaitTaken(int requests) {
    String refused = "orrery_router_refusals_total{reason=\"over_memory\"}";
    await()
        .atMost(PATIENCE)
        .until(() -> !process.alive() || endpoint.large() + metric(refused) >= requests);
  }

  /** Waits until a number grows no more, or the process has ended. */
  private void awaitStandstill(LongSupplier number) {
    long[] before = {0};
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(500))
        .until(() -> {
          long now = number.getAsLong();
          boolean still = now > 0 && now == before[0];
          before[0] = now;
          return still || !process.alive();
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 65_535})
  void clientsOfHttp2ThatTakeNoAnswersHoldLittle(int window) throws Exception {
    launch();
    for (int i = 0; i < 5; i++) {
      FrameClient client = frames().greet(FrameClient.setting(4, window));
      for (int stream = 1; stream < 200; stream += 2) {
        client.ask(stream);
      }
    }
    awaitStandstill(500);

    othersAreServed();
  }

  /** Of many addresses together: the slowest are cut, so that there is memory again. */
  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @ParameterizedTest
  @ValueSource(strings = {"", UNUSUAL})
  void manyClientsThatDoNotReadAreCutBeforeTheMemoryIsUsedUp(String more) throws Exception {
    manyClients = true;
    launch();
    for (int i = 0; i < 600; i++) {
      plain("GET /large HTTP/1.1\r\n" + HOST + more + "\r\n");
    }
    await().atMost(PATIENCE).until(() -> metric("orrery_router_cut_total") > 0);
    await()
        .atMost(PATIENCE)
        .until(() ->
            ask("GET /small HTTP/1.1\r\n" + HOST + "Connection: close\r\n\r\n").endsWith("small"));
    assertThat(process.alive()).as(process.log()).isTrue();
  }

  /** The windows of HTTP/2 are for bodies: heads and acknowledgements have none. */
  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void aClientOfHttp2ThatReadsNothingAtAllHoldsLittle() throws Exception {
    launch();
    for (int i = 0; i < 5; i++) {
      FrameClient client = frames().greet();
      Thread.ofVirtual().start(() -> flood(client));
    }
    awaitStandstill(endpoint::small);

    othersAreServed();
  }

  /** Netty would wait half a minute for the streams, and answer every frame meanwhile (E1). */
  @Test
  void aConnectionThatEndedWithAnErrorIsClosedBeforeItsStreams() throws Exception {
    launch();
    FrameClient client = frames().greet(FrameClient.setting(4, 0));
    for (int stream = 1; stream < 20; stream += 2) {
      client.ask(stream);
    }
    awaitTaken(10);
    client.frame(FrameClient.WINDOW_UPDATE, 0, 0, new byte[4]);

    List<Integer> types = new ArrayList<>();
    // Fails when the router is silent for five seconds.
    for (FrameClient.Frame frame = client.read(); frame != null; frame = client.read()) {
      types.add(frame.type());
    }
    assertThat(types).contains(GOAWAY);
    othersAreServed();
  }

  private static void flood(FrameClient client) {
    try {
      for (int stream = 1; stream < 400_000; stream += 2) {
        client.frame(
            FrameClient.HEADERS,
            FrameClient.END_HEADERS | FrameClient.END_STREAM,
            stream,
            FrameClient.head("HEAD"));
        client.frame(PING, 0, 0, new byte[8]);
      }
    } catch (IOException cut) {
      // By the router, or by the end of the test.
    }
  }

  @ParameterizedTest
  @CsvSource({"'', false", "TE: trailers, false", "'', true", "TE: trailers, true"})
  void uploadsThatTheirEndpointDoesNotReadHoldLittle(String unusual, boolean secure)
      throws Exception {
    // Over TLS both ends encrypt what is refused and read to its end: hundreds of megabytes.
    assumeTrue(!secure || Boolean.getBoolean("orrery.slow"), "over TLS by flag");
    tls = secure;
    launch();
    String more = unusual.isEmpty() ? "" : UNUSUAL;
    String head = "POST /sink HTTP/1.1\r\n" + HOST + more + "Content-Length: 100000000\r\n\r\n";
    for (int i = 0; i < 200; i++) {
      Socket socket = plain(head);
      Thread.ofVirtual().start(() -> pour(socket));
    }
    awaitTaken(200);
    awaitStandstill(poured::get);

    othersAreServed();
  }

  private void pour(Socket socket) {
    try {
      for (byte[] piece = new byte[64 * 1024]; ; ) {
        socket.getOutputStream().write(piece);
        poured.addAndGet(piece.length);
      }
    } catch (IOException cut) {
      // By the router, or by the end of the test.
    }
  }

  /** The same over HTTP/2, a hundred on each connection, as much as the windows take. */
  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void uploadsOfHttp2ThatTheirEndpointDoesNotReadHoldLittle() throws Exception {
    launch();
    // Fewer requests than the endpoint may have connections.
    for (int i = 0; i < 5; i++) {
      PouringClient client = new PouringClient(frames().greet(), poured);
      Thread.ofVirtual().start(() -> client.pour("/sink"));
    }
    // What is refused is read and thrown away, so that it may go on for long.
    awaitStandstill(() -> Math.min(poured.get(), MORE_THAN_FITS));

    othersAreServed();
  }

  /** Copies have a part of the memory of their own, and are dropped when that is held. */
  @ParameterizedTest
  @CsvSource({"60000, ''", "60000, 'TE: trailers'", "1000000, ''"})
  void copiesForAShadowThatNeitherReadsNorAnswersHoldLittle(int bytes, String more)
      throws Exception {
    try (SilentEndpoint shadow = new SilentEndpoint()) {
      launch(
          "{name: a, endpoints: [\"%s\"], mirror: \"m:100%%\"}, {name: m, endpoints: [\"%s\"]}"
              .formatted(endpoint.address(), shadow.address()));
      String head =
          "POST /small HTTP/1.1\r\n"
              + HOST
              + (more.isEmpty() ? "" : more + "\r\n")
              + "Content-Length: "
              + bytes
              + "\r\n\r\n";
      int clients = 40;
      for (int i = 0; i < clients; i++) {
        Socket socket = plain("");
        Thread.ofVirtual().start(() -> uploads(socket, head, bytes));
      }
      await().atMost(PATIENCE).until(() -> !process.alive() || poured.get() > MORE_THAN_FITS);
      assertThat(
              metric(
                  "orrery_router_mirror_requests_total{service=\"a\",version=\"m\",result=\"dropped\"}"))
          .isPositive();

      othersAreServed();
    }
  }

  /** One upload after the other, for as long as each is answered. */
  private void uploads(Socket socket, String head, int bytes) {
    byte[] body = new byte[bytes];
    try {
      byte[] answer = new byte[1024];
      do {
        socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().write(body);
        poured.addAndGet(bytes);
      } while (socket.getInputStream().read(answer) > 0);
    } catch (IOException cut) {
      // By the router, or by the end of the test.
    }
  }

  @Test
  void tunnelsWhoseClientsDoNotReadHoldLittle() throws Exception {
    launch();
    for (int i = 0; i < 200; i++) {
      plain("GET /ws HTTP/1.1\r\n" + HOST + "Connection: Upgrade\r\nUpgrade: x\r\n\r\n");
    }
    awaitStandstill(200);

    othersAreServed();
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @ParameterizedTest
  @CsvSource({"'', false", "TE: trailers, false", "'', true", "TE: trailers, true"})
  void clientsThatDoNotReadTheirAnswersHoldLittle(String unusual, boolean secure) throws Exception {
    tls = secure;
    launch();
    String more = unusual.isEmpty() ? "" : UNUSUAL;
    for (int i = 0; i < 600; i++) {
      plain("GET /large HTTP/1.1\r\n" + HOST + more + "\r\n");
    }
    awaitStandstill(600);

    othersAreServed();
  }
}
