package io.orrery.gateway.metric.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server that says of each body which way it came. */
class RepeatedPostsTest {
  private static final String HEAD =
      "POST /reports HTTP/1.1\r\nHost: here\r\nConnection: keep-alive\r\n";

  private final Vertx vertx = Vertx.vertx();
  private final AtomicInteger used = new AtomicInteger();
  private final Promise<Buffer> later = Promise.promise();
  private final AtomicReference<Context> waiting = new AtomicReference<>();
  private HttpServer server;
  private Socket socket;

  @BeforeEach
  void connect() throws Exception {
    RepeatedPosts.LoopState desk = new RepeatedPosts.LoopState("/reports", "x-always: yes\r\n");
    server =
        vertx
            // With it a connection is opened by its first request.
            .createHttpServer(new HttpServerOptions().setHttp2ClearTextEnabled(false))
            .connectionHandler(opened -> RepeatedPosts.watch(opened, desk, used::incrementAndGet))
            .requestHandler(this::serve)
            .listen(0, "127.0.0.1")
            .await(10, SECONDS);
    socket = new Socket(InetAddress.getLoopbackAddress(), server.actualPort());
    socket.setSoTimeout(10_000);
    socket.setTcpNoDelay(true);
  }

  @AfterEach
  void stop() throws Exception {
    socket.close();
    vertx.close().await(10, SECONDS);
  }

  private void serve(HttpServerRequest request) {
    RepeatedPosts posts = RepeatedPosts.of(request.connection());
    Throwable failure = null;
    if (posts != null) {
      posts.admitted(request, this::take);
      failure = posts.failure();
    }
    String fault = failure == null ? "" : " after " + failure.getMessage();
    request.body().onSuccess(body -> request.response().end("ordinary " + body + fault));
  }

  private Future<Buffer> take(byte[] bytes, int from, int to) {
    String body = new String(bytes, from, to - from, ISO_8859_1);
    return switch (body) {
      case "thrown" -> throw new IllegalStateException("a fault");
      case "failed" -> Future.failedFuture("a failure");
      case "later" -> {
        waiting.set(Vertx.currentContext());
        yield later.future();
      }
      default -> Future.succeededFuture(Buffer.buffer("short " + body));
    };
  }

  /** Vert.x may open a connection after its first bytes have come; these take the ordinary way. */
  private void begin() throws IOException {
    ask(post("a"));
    ask(post("a"));
    used.set(0);
  }

  private void answerLater() {
    waiting.get().runOnContext(turn -> later.complete(Buffer.buffer("short later")));
  }

  private static String post(String body) {
    return HEAD + "Content-Length: " + body.length() + "\r\n\r\n" + body;
  }

  private void send(String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(ISO_8859_1));
  }

  /** The body of the next answer. */
  private String answer() throws IOException {
    InputStream in = socket.getInputStream();
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      if (next < 0) {
        return "closed";
      }
      head.append((char) next);
    }
    String length =
        head.toString().toLowerCase(Locale.ROOT).replaceAll("(?s).*content-length: (\\d+).*", "$1");
    return new String(in.readNBytes(Integer.parseInt(length)), ISO_8859_1);
  }

  private String ask(String text) throws IOException {
    send(text);
    return answer();
  }

  @Test
  void theFirstTakesTheOrdinaryWayAndThoseLikeItDoNot() throws Exception {
    assertThat(ask(post("a"))).isEqualTo("ordinary a");
    begin();
    assertThat(ask(post("bc"))).isEqualTo("short bc");
    assertThat(ask(post("0123456789"))).isEqualTo("short 0123456789");
    assertThat(ask(post(""))).isEqualTo("short ");
    assertThat(used).hasValue(3);
  }

  @ParameterizedTest
  @ValueSource(strings = {"failed", "thrown"})
  void whatCannotBeAnsweredTakesTheOrdinaryWayWithItsFailure(String body) throws Exception {
    begin();

    assertThat(ask(post(body))).startsWith("ordinary " + body + " after a fa");
    assertThat(ask(post("b"))).isEqualTo("short b");
  }

  @Test
  void anotherHeadTakesTheOrdinaryWayAndIsTheOneThatIsRepeatedThen() throws Exception {
    String other = HEAD + "Authorization: Bearer x\r\nContent-Length: 1\r\n\r\na";
    begin();

    assertThat(ask(other)).isEqualTo("ordinary a");
    assertThat(ask(other)).isEqualTo("short a");
    assertThat(ask(post("b"))).isEqualTo("ordinary b");
  }

  @Test
  void aRequestMayComeInTwoPiecesCutAnywhere() throws Exception {
    String request = post("abc");
    begin();
    for (int cut = 1; cut < request.length(); cut++) {
      send(request.substring(0, cut));
      send(request.substring(cut));

      assertThat(answer()).as("cut at %d", cut).isEqualTo("short abc");
    }
  }

  @Test
  void aRequestThatComesByteByByteIsAnswered() throws Exception {
    begin();
    for (char c : post("abc").toCharArray()) {
      send(String.valueOf(c));
    }
    assertThat(answer()).endsWith(" abc");
    assertThat(ask(post("b"))).endsWith(" b");
  }

  @Test
  void pipelinedRequestsAreAnsweredInTheirOrder() throws Exception {
    begin();
    send(post("1") + post("later") + post("2") + post("failed") + post("3"));
    assertThat(answer()).isEqualTo("short 1");
    await().until(() -> waiting.get() != null);
    answerLater();

    assertThat(answer()).isEqualTo("short later");
    assertThat(answer()).isEqualTo("short 2");
    assertThat(answer()).isEqualTo("ordinary failed after a failure");
    assertThat(answer()).endsWith(" 3");
  }

  @Test
  void pipelinedWithTheFirstTheyAreAnsweredInTheirOrderToo() throws Exception {
    send(post("a") + post("b") + post("c"));

    assertThat(answer()).isEqualTo("ordinary a");
    assertThat(answer()).endsWith(" b");
    assertThat(answer()).endsWith(" c");
    assertThat(ask(post("d"))).isEqualTo("short d");
  }

  @Test
  void aBodyThatLooksLikeARequestIsABody() throws Exception {
    begin();
    String inner = post("smuggled");

    assertThat(ask(post(inner))).isEqualTo("short " + inner);
    assertThat(ask(post("b"))).isEqualTo("short b");
  }

  @Test
  void aLongBodyTakesTheOrdinaryWay() throws Exception {
    begin();
    String body = "x".repeat(200_000);

    assertThat(ask(post(body))).isEqualTo("ordinary " + body);
    assertThat(ask(post("b"))).isEqualTo("short b");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Cookie: a=b\r\nContent-Length: 1\r\n\r\na",
        "Expect: 100-continued\r\nContent-Length: 1\r\n\r\na",
        "Content-Encoding: identity\r\nContent-Length: 1\r\n\r\na",
        "Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n",
        "Content-Length: 1\r\nConnection: x\r\n\r\na",
      })
  void someHeadsAreNeverRepeated(String rest) throws Exception {
    String request = "POST /reports HTTP/1.1\r\nHost: here\r\n" + rest;

    assertThat(ask(request)).startsWith("ordinary");
    assertThat(ask(request)).startsWith("ordinary");
    assertThat(used).hasValue(0);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        "Content-Length: +1\r\n\r\na",
        "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\na",
        "Content-Length : 1\r\n\r\na",
      })
  void aHeadThatCanBeReadInTwoWaysIsNotServed(String rest) throws Exception {
    begin();

    assertThat(ask("POST /reports HTTP/1.1\r\nHost: here\r\n" + rest)).doesNotStartWith("short");
    assertThat(used).hasValue(0);
  }

  @Test
  void anythingElseOnTheConnectionIsServedAsEver() throws Exception {
    begin();
    assertThat(ask("GET /reports HTTP/1.1\r\nHost: here\r\n\r\n")).isEqualTo("ordinary ");
    assertThat(ask(post("a"))).isEqualTo("ordinary a");
    assertThat(ask(post("a"))).isEqualTo("ordinary a");
  }

  @Test
  void anAnswerThatIsOnItsWayIsGivenBeforeTheServerCloses() throws Exception {
    begin();
    send(post("later"));
    await().until(() -> waiting.get() != null);
    Future<Void> closed = server.shutdown(10, SECONDS);
    answerLater();

    assertThat(answer()).isEqualTo("short later");
    assertThat(answer()).isEqualTo("closed");
    closed.await(10, SECONDS);
  }
}
