package io.orrery.router.proxy;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.handler.codec.http2.Http2Error;
import io.orrery.router.proxy.FrameClient.Frame;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A test of plain requests of HTTP/2, which are forwarded as bytes where that is on. */
class StreamsIT extends RouterIT {
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

  private final List<String> heads = new CopyOnWriteArrayList<>();
  private HttpClient h2;

  @BeforeEach
  void client() {
    h2 =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setHttp2ClearTextUpgrade(false));
  }

  @AfterEach
  void closeClient() throws Exception {
    h2.close().await(5, SECONDS);
  }

  private RawEndpoint endpoint(Function<String, String> answers) throws IOException {
    RawEndpoint endpoint =
        opened(
            new RawEndpoint(head -> {
              heads.add(head);
              return answers.apply(head);
            }));
    route("  - {name: a, endpoints: [\"" + endpoint.address() + "\"]}\n");
    return endpoint;
  }

  private FrameClient frames() throws IOException {
    return opened(new FrameClient(router.port()).greet());
  }

  private Answer ask(RequestOptions options, Buffer body) throws Exception {
    return ask(h2, options, body).await(20, SECONDS);
  }

  @Test
  void clientsOfEitherVersionShareConnectionsToEndpoints() throws Exception {
    RawEndpoint endpoint = endpoint(head -> OK);

    assertThat(get("a", "/").text()).isEqualTo("ok");
    assertThat(ask(to(HttpMethod.GET, "a", "/"), null).text()).isEqualTo("ok");
    assertThat(ask(to(HttpMethod.GET, "a", "/"), null).text()).isEqualTo("ok");

    assertThat(endpoint.connections()).isEqualTo(1);
  }

  @Test
  void theEndpointHearsFromWhomTheRequestComesAndHow() throws Exception {
    endpoint(head -> OK);

    ask(to(HttpMethod.GET, "a", "/x?y=1").addHeader("X-Own", "mine").addHeader("via", "9 z"), null);

    assertThat(heads.getFirst().toLowerCase(Locale.ROOT))
        .startsWith("get /x?y=1 http/1.1\r\n")
        .contains(
            "host: a.service.orrery.localhost\r\n",
            "x-own: mine\r\n",
            "x-forwarded-for: 127.0.0.1\r\n",
            "x-forwarded-proto: http\r\n",
            "x-forwarded-host: a.service.orrery.localhost\r\n",
            "forwarded: for=127.0.0.1;proto=http;host=a.service.orrery.localhost\r\n",
            "via: 9 z, 2.0 orrery\r\n")
        .doesNotContain(":scheme", "transfer-encoding", "content-length");
  }

  @Test
  void whatBelongsToTheEndpointsConnectionStaysThere() throws Exception {
    endpoint(head ->
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: X-Hop\r\nX-Hop: 1\r\nKeep-Alive: 2\r\n"
            + "X-End: 3\r\n\r\nok");

    Answer answer = ask(to(HttpMethod.GET, "a", "/"), null);

    assertThat(answer.text()).isEqualTo("ok");
    assertThat(answer.response().headers().names())
        .contains("x-end", "date", "content-length")
        .doesNotContain("connection", "x-hop", "keep-alive");
  }

  @Test
  void chunksComeWithoutTheirFramingAndWithTheTrailersThatMayPass() throws Exception {
    endpoint(head ->
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "5\r\nhello\r\n1;x=y\r\n \r\n5\r\nthere\r\n0\r\nX-Sum: 7\r\nContent-Length: 1\r\n\r\n");

    Answer answer = ask(to(HttpMethod.GET, "a", "/"), null);

    assertThat(answer.text()).isEqualTo("hello there");
    assertThat(answer.response().headers().contains("transfer-encoding")).isFalse();
    assertThat(answer.response().trailers().get("x-sum")).isEqualTo("7");
    assertThat(answer.response().trailers().contains("content-length")).isFalse();
  }

  @Test
  void aBodyEndsWithTheConnectionOfTheEndpoint() throws Exception {
    endpoint(head -> "HTTP/1.1 200 OK\r\n\r\nall there is^");

    assertThat(ask(to(HttpMethod.GET, "a", "/"), null).text()).isEqualTo("all there is");
  }

  @ParameterizedTest
  @ValueSource(strings = {"HEAD 200", "GET 204", "GET 304"})
  void anAnswerWithoutABodyEndsWithItsHead(String asked) throws Exception {
    String method = asked.substring(0, asked.indexOf(' '));
    int status = Integer.parseInt(asked.substring(method.length() + 1));
    endpoint(head -> "HTTP/1.1 " + status + " X\r\nContent-Length: 7\r\n\r\n");

    FrameClient frames = frames();
    frames.frame(
        FrameClient.HEADERS,
        FrameClient.END_HEADERS | FrameClient.END_STREAM,
        1,
        FrameClient.head(method));

    Frame first = frames.read();
    while (first.type() != FrameClient.HEADERS) {
      first = frames.read();
    }
    assertThat(FrameClient.status(first)).isEqualTo("" + status);
    assertThat(first.flags() & FrameClient.END_STREAM).isEqualTo(FrameClient.END_STREAM);
  }

  @Test
  void aBodyOfKnownLengthIsSentWhole() throws Exception {
    Upstream echo =
        opened(
            Upstream.start(
                vertx, request -> request.body().onSuccess(body -> request.response().end(body))));
    route("  - {name: a, endpoints: [\"" + echo.address() + "\"]}\n");
    byte[] bytes = new byte[64 * 1024];
    new Random(1).nextBytes(bytes);

    Answer answer = ask(to(HttpMethod.POST, "a", "/"), Buffer.buffer(bytes));

    assertThat(answer.body().getBytes()).isEqualTo(bytes);
  }

  @Test
  void aBodyThatDoesNotComeWholeIsNotSent() throws Exception {
    endpoint(head -> OK);

    FrameClient frames = frames();
    frames.frame(
        FrameClient.HEADERS,
        FrameClient.END_HEADERS,
        1,
        FrameClient.head("POST", FrameClient.field("content-length", "5")));
    frames.frame(FrameClient.DATA, FrameClient.END_STREAM, 1, "four".getBytes(US_ASCII));

    assertThat(frames.answered(1)).isEqualTo("error " + Http2Error.PROTOCOL_ERROR.code());
    frames.ask(3);
    assertThat(frames.answered(3)).isEqualTo("200");
    assertThat(heads).hasSize(1);
  }

  @Test
  void anAnswerThatBreaksOffResetsItsStreamAlone() throws Exception {
    endpoint(head ->
        heads.size() == 1 ? "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\nnot all^" : OK);

    FrameClient frames = frames();
    frames.ask(1);
    assertThat(frames.answered(1)).isEqualTo("error " + Http2Error.INTERNAL_ERROR.code());
    frames.ask(3);
    assertThat(frames.answered(3)).isEqualTo("200");
  }

  @Test
  void anEndpointThatIsAwayIsToldAsAProblem() throws Exception {
    RawEndpoint endpoint = endpoint(head -> OK);
    endpoint.close();

    Answer answer = ask(to(HttpMethod.GET, "a", "/"), null);

    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.response().getHeader("content-type")).isEqualTo("application/problem+json");
    assertThat(answer.response().getHeader("content-length"))
        .isEqualTo("" + answer.body().length());
    assertThat(answer.body().toJsonObject().getInteger("status")).isEqualTo(503);
  }

  @Test
  void whatIsOverTheLimitIsRefusedAndTheConnectionGoesOn() throws Exception {
    HeldEndpoint endpoint = opened(new HeldEndpoint(vertx, "a"));
    route(
        "  - {name: a, endpoints: [\""
            + endpoint.address()
            + "\"], limits: {requests: 1, connections: 1}}\n");

    FrameClient frames = frames();
    frames.ask(1);
    await().atMost(10, SECONDS).until(() -> endpoint.asked().size() == 1);
    frames.ask(3);
    Frame refused = frames.read();
    while (refused.stream() != 3) {
      refused = frames.read();
    }
    assertThat(FrameClient.status(refused)).isEqualTo("another");
    endpoint.answer(200);
    assertThat(frames.answered(1)).isEqualTo("200");
  }

  @Test
  void aResetEndsTheRequestAtItsEndpoint() throws Exception {
    HeldEndpoint endpoint = opened(new HeldEndpoint(vertx, "a"));
    route("  - {name: a, endpoints: [\"" + endpoint.address() + "\"]}\n");

    FrameClient frames = frames();
    frames.ask(1);
    await().atMost(10, SECONDS).until(() -> endpoint.asked().size() == 1);
    frames.frame(FrameClient.RST_STREAM, 0, 1, FrameClient.number((int) Http2Error.CANCEL.code()));

    await().atMost(10, SECONDS).until(() -> endpoint.cancelled() == 1);
    endpoint.atOnce(200);
    frames.ask(3);
    assertThat(frames.answered(3)).isEqualTo("200");
    assertThat(metric("orrery_router_abandoned_total")).isEqualTo(1);
  }

  @Test
  void anAnswerGoesOnAsTheClientHasRoom() throws Exception {
    String body = "x".repeat(200_000);
    endpoint(head -> "HTTP/1.1 200 OK\r\nContent-Length: 200000\r\n\r\n" + body);

    FrameClient frames = frames();
    frames.ask(1);
    int came = 0;
    while (came < body.length()) {
      Frame frame = frames.read();
      assertThat(frame).isNotNull();
      if (frame.type() == FrameClient.DATA) {
        came += frame.payload().length;
        byte[] room = FrameClient.number(frame.payload().length);
        frames.frame(FrameClient.WINDOW_UPDATE, 0, 0, room);
        frames.frame(FrameClient.WINDOW_UPDATE, 0, 1, room);
      }
    }

    assertThat(came).isEqualTo(body.length());
    await().atMost(10, SECONDS).until(() -> metric("orrery_router_held_bytes") == 0);
  }

  @Test
  void aDrainWaitsForTheAnswerOfAStream() throws Exception {
    HeldEndpoint endpoint = opened(new HeldEndpoint(vertx, "a"));
    route("  - {name: a, endpoints: [\"" + endpoint.address() + "\"]}\n");
    CountDownLatch drained = new CountDownLatch(1);

    FrameClient frames = frames();
    frames.ask(1);
    await().atMost(10, SECONDS).until(() -> endpoint.asked().size() == 1);
    Thread.ofVirtual()
        .start(() -> {
          router.drain(20);
          drained.countDown();
        });
    Frame frame = frames.read();
    while (frame.type() != FrameClient.GOAWAY) {
      frame = frames.read();
    }
    assertThat(drained.getCount()).isEqualTo(1);
    endpoint.answer(200);

    assertThat(frames.answered(1)).isEqualTo("200");
    assertThat(drained.await(20, SECONDS)).isTrue();
  }
}
