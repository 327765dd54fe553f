package io.orrery.router.proxy;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.orrery.router.route.RouterFile;
import io.orrery.router.run.Router;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections of TLS, from their handshake to their end, on both ways. */
class TlsConnectionsIT extends RouterIT {
  private static final String HOST = "a.service.orrery.localhost";
  private static final String GET = "GET /x HTTP/1.1\r\nHost: " + HOST + "\r\n\r\n";

  private final AtomicInteger asked = new AtomicInteger();

  @BeforeEach
  void start() throws Exception {
    Upstream echo =
        opened(
            Upstream.start(
                vertx,
                request -> {
                  asked.incrementAndGet();
                  String proto = request.getHeader("x-forwarded-proto");
                  request
                      .body()
                      .onSuccess(body ->
                          request
                              .response()
                              .putHeader("x-told", proto)
                              .end(body.length() == 0 ? Buffer.buffer(request.uri()) : body));
                }));
    RouterFile.Address any = new RouterFile.Address("127.0.0.1", 0);
    router =
        Router.start(
            new RouterFile.Listen(any, 1, List.of(TestCertificates.any()), fastPath, false),
            table("  - {name: a, endpoints: [\"" + echo.address() + "\"]}\n"),
            null,
            null);
  }

  private SSLSocket secure(Socket plain, String... protocols) throws IOException {
    SSLSocket socket =
        (SSLSocket)
            TestCertificates.trusting()
                .getSocketFactory()
                .createSocket(plain, HOST, router.port(), true);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setApplicationProtocols(protocols);
    socket.setSSLParameters(parameters);
    socket.setSoTimeout(20_000);
    return opened(socket);
  }

  private Socket plain() throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), router.port());
  }

  private static void write(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    socket.getOutputStream().flush();
  }

  /** The head of an answer whose body is the path that was asked for. */
  private static String answer(Socket socket) throws IOException {
    StringBuilder seen = new StringBuilder();
    while (!seen.toString().endsWith("\r\n\r\n/x")) {
      int next = socket.getInputStream().read();
      if (next < 0) {
        throw new IOException("closed after: " + seen);
      }
      seen.append((char) next);
    }
    return seen.toString();
  }

  private void isAnswered(Socket socket) throws IOException {
    write(socket, GET);
    assertThat(answer(socket)).startsWith("HTTP/1.1 200").contains("x-told: https");
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void everyVersionIsServedAndItsClientsAreBytes(String version) throws Exception {
    SSLSocket socket = secure(plain(), "http/1.1");
    socket.setEnabledProtocols(new String[] {version});
    isAnswered(socket);
    isAnswered(socket);
    assertThat(socket.getApplicationProtocol()).isEqualTo("http/1.1");
    assertThat(socket.getSession().getProtocol()).isEqualTo(version);

    // The general way has it from here on, and says so only if it was not there before.
    write(socket, GET.replace("GET /x", "GET http://" + HOST + "/x"));
    assertThat(answer(socket)).startsWith("HTTP/1.1 200").contains("x-told: https");
    assertThat(metric("orrery_router_handed_over_total")).isEqualTo(fastPath ? 1 : 0);
    assertThat(metric("orrery_router_connections")).isOne();
  }

  @Test
  void aClientThatNamesNoProtocolSpeaksHttp1() throws Exception {
    SSLSocket socket = secure(plain());
    isAnswered(socket);
    assertThat(socket.getApplicationProtocol()).isEmpty();
  }

  @Test
  void http2IsChosenBeforeHttp1() throws Exception {
    HttpClient both =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setSsl(true)
                .setTrustAll(true)
                .setVerifyHost(false)
                .setUseAlpn(true)
                .setProtocolVersion(HttpVersion.HTTP_2));
    Answer answer = ask(both, to(HttpMethod.GET, "a", "/x"), null).await(20, SECONDS);
    assertThat(answer.response().version()).isEqualTo(HttpVersion.HTTP_2);
    assertThat(answer.response().getHeader("x-told")).isEqualTo("https");
    assertThat(metric("orrery_router_handed_over_total")).isZero();
    both.close().await(5, SECONDS);
  }

  @Test
  void recordsThatComeByteByByteArePutTogether() throws Exception {
    Socket slow =
        new Socket(InetAddress.getLoopbackAddress(), router.port()) {
          @Override
          public OutputStream getOutputStream() throws IOException {
            return new FilterOutputStream(super.getOutputStream());
          }
        };
    slow.setTcpNoDelay(true);
    SSLSocket socket = secure(slow, "http/1.1");
    isAnswered(socket);
    isAnswered(socket);
  }

  @Test
  void largeBodiesPassBothWaysWhole() throws Exception {
    HttpClient client =
        vertx.createHttpClient(
            new HttpClientOptions().setSsl(true).setTrustAll(true).setVerifyHost(false));
    byte[] body = new byte[5_000_000];
    for (int i = 0; i < body.length; i++) {
      body[i] = (byte) (i * 31 + i / 997);
    }
    Buffer sent = Buffer.buffer(body);
    for (int i = 0; i < 3; i++) {
      Answer answer = ask(client, to(HttpMethod.POST, "a", "/x"), sent).await(30, SECONDS);
      assertThat(answer.body().equals(sent)).isTrue();
    }
    client.close().await(5, SECONDS);
  }

  @Test
  void plainTextIsNotAnsweredAndHurtsNoOther() throws Exception {
    SSLSocket other = secure(plain());
    isAnswered(other);
    try (RawClient raw = new RawClient(router.port())) {
      assertThat(raw.write(GET).rest()).doesNotContain("HTTP/1.1");
    }
    isAnswered(other);
    assertThat(asked).hasValue(2);
  }

  @Test
  void aClientMayNotRenegotiate() throws Exception {
    SSLSocket socket = secure(plain());
    socket.setEnabledProtocols(new String[] {"TLSv1.2"});
    isAnswered(socket);
    socket.startHandshake();
    assertThatThrownBy(() -> isAnswered(socket)).isInstanceOf(IOException.class);
  }

  @Test
  void aHandshakeThatDoesNotGoOnIsCutOff() throws Exception {
    try (Socket silent = plain()) {
      silent.setSoTimeout(60_000);
      silent.getOutputStream().write(new byte[] {22, 3, 1, 2});
      assertThat(silent.getInputStream().readAllBytes()).hasSizeLessThan(100);
    }
    assertThat(metric("orrery_router_connections")).isZero();
  }

  @Test
  void aClientThatEndsItsTlsOrOnlyItsConnectionIsGone() throws Exception {
    assumeTrue(fastPath, "Vert.x waits for the end of the connection");
    SSLSocket polite = secure(plain());
    isAnswered(polite);
    polite.shutdownOutput();
    assertThat(polite.getInputStream().read()).isNegative();

    Socket below = plain();
    SSLSocket cut = secure(below);
    isAnswered(cut);
    write(cut, "POST /x HTTP/1.1\r\nHost: " + HOST + "\r\nContent-Length: 100\r\n\r\nhalf");
    below.close();
    await().atMost(20, SECONDS).until(() -> metric("orrery_router_connections") == 0);
    assertThat(asked).hasValue(2);
  }

  @Test
  void aRouterThatStopsSaysSoToThoseThatAreIdle() throws Exception {
    SSLSocket idle = secure(plain());
    isAnswered(idle);
    Thread stopping = Thread.ofVirtual().start(() -> router.drain(20));
    assertThat(idle.getInputStream().read()).isNegative();
    stopping.join();
  }
}
