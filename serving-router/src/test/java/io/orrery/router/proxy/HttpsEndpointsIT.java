package io.orrery.router.proxy;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.orrery.router.route.RouterFile.Tls;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.net.PemKeyCertOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Endpoints that speak HTTP/1.1 over TLS, and how their certificates are checked. */
@AlsoOverTls
class HttpsEndpointsIT extends RouterIT {
  private static final String NAME = "endpoint.test";

  @TempDir Path folder;
  private final AtomicInteger asked = new AtomicInteger();
  private final AtomicInteger probed = new AtomicInteger();
  private Tls own;
  private Tls other;
  private HttpServer endpoint;

  @BeforeEach
  void start() throws Exception {
    own = TestCertificates.certificate(folder, NAME, List.of());
    other = TestCertificates.certificate(folder, "other.test", List.of());
    endpoint =
        vertx
            .createHttpServer(
                new HttpServerOptions()
                    .setSsl(true)
                    .setSni(true)
                    .setKeyCertOptions(
                        new PemKeyCertOptions()
                            .addCertPath(own.certificate().toString())
                            .addKeyPath(own.key().toString())))
            .requestHandler(this::answer)
            .listen(0, "127.0.0.1")
            .await(5, SECONDS);
    opened(() -> endpoint.close().await(5, SECONDS));
  }

  private void answer(HttpServerRequest request) {
    if (request.path().equals("/healthz")) {
      probed.incrementAndGet();
      request.response().end();
      return;
    }
    asked.incrementAndGet();
    if (request.path().equals("/chat")) {
      request
          .toWebSocket()
          .onSuccess(socket -> socket.textMessageHandler(socket::writeTextMessage));
      return;
    }
    String name = request.connection().indicatedServerName();
    request
        .body()
        .onSuccess(body -> request.response().putHeader("x-name", name).end(body))
        .onFailure(broken -> request.connection().close());
  }

  private String service(String tls) throws Exception {
    return "  - {name: a, protocol: https, endpoints: [\"127.0.0.1:%d\"]%s}\n"
        .formatted(endpoint.actualPort(), tls);
  }

  private static String authority(Tls certificate) throws Exception {
    String pem = Files.readString(certificate.certificate());
    return "authority: \"" + pem.replace("\n", "\\n") + "\"";
  }

  private String trusted() throws Exception {
    return ", tls: {" + authority(own) + ", serverName: " + NAME + "}";
  }

  @ParameterizedTest
  @CsvSource({"0", "1000", "300000"})
  void aRequestReachesAnEndpointWhoseCertificateIsSigned(int bytes) throws Exception {
    route(service(trusted()));
    byte[] body = new byte[bytes];
    new Random(1).nextBytes(body);

    Answer answer = send(to(HttpMethod.POST, "a", "/x"), Buffer.buffer(body));

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.response().getHeader("x-name")).isEqualTo(NAME);
    assertThat(answer.body().getBytes()).isEqualTo(body);
  }

  @Test
  void connectionsAreKeptForFurtherRequests() throws Exception {
    AtomicInteger connections = new AtomicInteger();
    endpoint.close().await(5, SECONDS);
    endpoint =
        vertx
            .createHttpServer(
                new HttpServerOptions()
                    .setSsl(true)
                    .setKeyCertOptions(
                        new PemKeyCertOptions()
                            .addCertPath(own.certificate().toString())
                            .addKeyPath(own.key().toString())))
            .connectionHandler(connection -> connections.incrementAndGet())
            .requestHandler(request -> request.response().end("ok"))
            .listen(0, "127.0.0.1")
            .await(5, SECONDS);
    route(service(trusted()));

    for (int i = 0; i < 20; i++) {
      assertThat(get("a", "/").status()).isEqualTo(200);
    }

    assertThat(connections).hasValue(1);
  }

  @Test
  void anEndpointOfAnotherAuthorityGetsNothing() throws Exception {
    route(service(", tls: {" + authority(other) + ", serverName: " + NAME + "}"));

    assertThat(get("a", "/").status()).isEqualTo(503);
    assertThat(asked).hasValue(0);
  }

  @Test
  void anEndpointOfAnotherNameGetsNothing() throws Exception {
    route(service(", tls: {" + authority(own) + ", serverName: other.test}"));

    assertThat(get("a", "/").status()).isEqualTo(503);
    assertThat(asked).hasValue(0);
  }

  @Test
  void onlyTheAuthoritiesOfJavaAreTrustedWhereNoneIsNamed() throws Exception {
    route(service(", tls: {serverName: " + NAME + "}"));

    assertThat(get("a", "/").status()).isEqualTo(503);
    assertThat(asked).hasValue(0);
  }

  @Test
  void anyCertificateWillDoWhereNoneIsChecked() throws Exception {
    route(service(", tls: {verify: false}"));

    assertThat(get("a", "/").status()).isEqualTo(200);
  }

  @Test
  void anotherAuthorityHoldsFromTheNextTableOn() throws Exception {
    route(service(trusted()));
    assertThat(get("a", "/").status()).isEqualTo(200);

    router
        .inbox()
        .accept(table(service(", tls: {" + authority(other) + ", serverName: " + NAME + "}")));

    await().atMost(10, SECONDS).until(() -> get("a", "/").status() == 503);
    int before = asked.get();
    assertThat(get("a", "/").status()).isEqualTo(503);
    assertThat(asked).hasValue(before);
  }

  @Test
  void aWebSocketPasses() throws Exception {
    assumeTrue(!way.overTls());
    route(service(trusted()));
    WebSocketClient from = vertx.createWebSocketClient();
    opened(() -> from.close().await(5, SECONDS));

    WebSocket socket =
        from.connect(router.port(), "a.service." + DOMAIN, "/chat").await(5, SECONDS);
    CompletableFuture<String> heard = new CompletableFuture<>();
    socket.textMessageHandler(heard::complete);
    socket.writeTextMessage("hello").await(5, SECONDS);

    assertThat(heard.get(5, SECONDS)).isEqualTo("hello");
  }

  @Test
  void healthChecksUseTls() throws Exception {
    route(service(trusted() + ", health: {path: /healthz, interval: 100ms}"));

    await().atMost(10, SECONDS).until(() -> probed.get() >= 2);
    assertThat(get("a", "/").status()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource({"https", "h2c"})
  void aShadowGetsCopiesInItsOwnProtocol(String protocol) throws Exception {
    Upstream primary = opened(Upstream.named(vertx, "primary"));
    CompletableFuture<HttpVersion> copied = new CompletableFuture<>();
    Upstream clear =
        opened(
            Upstream.start(
                vertx,
                request -> {
                  copied.complete(request.version());
                  request.response().end();
                }));
    String shadow =
        protocol.equals("https")
            ? service(trusted()).replace("name: a", "name: b")
            : "  - {name: b, protocol: h2c, endpoints: [\"" + clear.address() + "\"]}\n";
    route(
        "  - {name: a, endpoints: [\"%s\"], mirror: \"b:100%%\"}\n".formatted(primary.address())
            + shadow);

    assertThat(get("a", "/").text()).isEqualTo("primary");

    if (protocol.equals("https")) {
      await().atMost(10, SECONDS).until(() -> asked.get() == 1);
    } else {
      assertThat(copied.get(10, SECONDS)).isEqualTo(HttpVersion.HTTP_2);
    }
  }

  /** Its end may have been made by a program between them (RFC 9112 section 9.8). */
  @ParameterizedTest
  @CsvSource({"true", "false"})
  void anAnswerWithoutALengthIsWholeOnlyWhenItsTlsWasEnded(boolean ends) throws Exception {
    CountDownLatch half = new CountDownLatch(1);
    SSLContext serving = serving();
    try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual()
          .start(() -> {
            try (Socket asked = server.accept()) {
              Socket tls = serving.getSocketFactory().createSocket(asked, null, false);
              assertThat(tls.getInputStream().read()).isEqualTo('G');
              tls.getOutputStream()
                  .write("HTTP/1.1 200 OK\r\n\r\nhalf".getBytes(StandardCharsets.US_ASCII));
              half.await();
              if (ends) {
                tls.close();
              }
            } catch (IOException | InterruptedException e) {
              throw new IllegalStateException(e);
            }
          });
      route(
          "  - {name: a, protocol: https, endpoints: [\"127.0.0.1:%d\"]%s}\n"
              .formatted(server.getLocalPort(), trusted()));

      try (RawClient raw = raw()) {
        raw.write("GET / HTTP/1.1\r\nHost: a.service." + DOMAIN + "\r\nConnection: close\r\n\r\n");
        assertThat(raw.head()).startsWith("HTTP/1.1 200");
        assertThat(raw.some(7)).isEqualTo("4\r\nhalf");
        half.countDown();

        assertThat(raw.rest()).isEqualTo(ends ? "\r\n0\r\n\r\n" : "\r\n");
      }
    }
  }

  private SSLContext serving() throws Exception {
    char[] password = "changeit".toCharArray();
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(KeyStore.getInstance(folder.resolve(NAME + ".p12").toFile(), password), password);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return context;
  }
}
