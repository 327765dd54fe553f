package io.orrery.router.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.impl.ConnectionBase;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A test of the heads that come before an answer (E5, RFC 9110 section 15.2). */
class InterimIT extends RouterIT {
  private static final String GET = "GET / HTTP/1.1\r\nHost: a.service.orrery.localhost\r\n\r\n";
  private static final String HEADS =
      "HTTP/1.1 102 Processing\r\nX-A: 1\r\nConnection: close\r\nContent-Length: 5\r\n\r\n"
          + "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </y>\r\n\r\n"
          + "HTTP/1.1 199 Nearly\r\nX-B: 2\r\n\r\n";

  private void answering(String answer) throws Exception {
    RawEndpoint endpoint = opened(new RawEndpoint(head -> answer));
    route("  - {name: a, endpoints: [\"" + endpoint.address() + "\"]}\n");
  }

  /** All heads up to that of the answer, in lower case. */
  private static List<String> heads(RawClient raw) throws Exception {
    List<String> heads = new ArrayList<>();
    do {
      heads.add(raw.head().toLowerCase(Locale.ROOT));
    } while (heads.getLast().startsWith("http/1.1 1"));
    return heads;
  }

  private static void areThose(List<String> heads) {
    assertThat(heads)
        .extracting(head -> head.substring(0, 12))
        .containsExactly(
            "http/1.1 102", "http/1.1 100", "http/1.1 103", "http/1.1 199", "http/1.1 200");
    assertThat(heads.getFirst()).contains("x-a: 1").doesNotContain("connection", "length");
    assertThat(heads.get(2)).contains("link: </y>");
    assertThat(heads.get(3)).contains("x-b: 2");
  }

  @Test
  void allOfThemReachAClientOfHttp11() throws Exception {
    answering(HEADS + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");

    try (RawClient raw = raw()) {
      for (int i = 0; i < 2; i++) {
        raw.write(GET);
        areThose(heads(raw));
        assertThat(raw.some(2)).isEqualTo("ok");
      }
    }
    try (RawClient old = raw()) {
      old.write(GET.replace("HTTP/1.1", "HTTP/1.0"));
      assertThat(old.head()).contains(" 200 ");
    }
  }

  @Test
  void allOfThemReachAClientOfHttp2() throws Exception {
    answering(HEADS + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");

    try (FrameClient client = new FrameClient(router.port()).greet()) {
      client.ask(1);
      List<FrameClient.Frame> heads = new ArrayList<>();
      while (heads.size() < 5) {
        FrameClient.Frame frame = client.read();
        assertThat(frame).isNotNull();
        if (frame.type() == FrameClient.HEADERS) {
          heads.add(frame);
        }
      }
      assertThat(heads).extracting(FrameClient::status).endsWith("200").startsWith("another");
      assertThat(heads).allMatch(head -> head.stream() == 1);
      assertThat(heads.subList(0, 4))
          .allMatch(head -> (head.flags() & FrameClient.END_STREAM) == 0);
    }
  }

  /** A 102 is not the answer, and does not make trailers of the answer's head. */
  @Test
  void thoseOfAnEndpointOfHttp2AreNotTakenForTheAnswer() throws Exception {
    Upstream endpoint =
        opened(
            Upstream.start(
                vertx,
                request -> {
                  for (int status : List.of(102, 103, 199)) {
                    say(request, status);
                  }
                  request.response().end("ok");
                }));
    route("  - {name: a, protocol: h2c, endpoints: [\"" + endpoint.address() + "\"]}\n");

    try (RawClient raw = raw()) {
      for (int i = 0; i < 2; i++) {
        raw.write(GET);
        assertThat(heads(raw))
            .extracting(head -> head.substring(0, 12))
            .containsExactly("http/1.1 102", "http/1.1 103", "http/1.1 199", "http/1.1 200");
        assertThat(raw.some(2)).isEqualTo("ok");
      }
    }
  }

  private static void say(HttpServerRequest request, int status) {
    var channel = ((ConnectionBase) request.connection()).channel();
    Http2ConnectionHandler http2 = channel.pipeline().get(Http2ConnectionHandler.class);
    ChannelHandlerContext context = channel.pipeline().context(http2);
    http2
        .encoder()
        .writeHeaders(
            context,
            request.streamId(),
            new DefaultHttp2Headers().status(Integer.toString(status)).add("x-a", "1"),
            0,
            false,
            context.newPromise());
  }

  /** The request asks for no other protocol. */
  @ParameterizedTest
  @ValueSource(strings = {"", "TE: trailers\r\n"})
  void anUpgradeThatWasNotAskedForIsNoAnswer(String more) throws Exception {
    answering("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n");

    try (RawClient raw = raw()) {
      raw.write(GET.substring(0, GET.length() - 2) + more + "\r\n");
      assertThat(raw.answer()).startsWith("HTTP/1.1 502");
    }
  }

  @Test
  void anEndpointMaySpeakBeforeItGrantsAnUpgrade() throws Exception {
    answering(
        HEADS + "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n");

    try (RawClient raw = raw()) {
      raw.write(GET.substring(0, GET.length() - 2) + "Connection: Upgrade\r\nUpgrade: x\r\n\r\n");
      String head = raw.head();
      while (head.startsWith("HTTP/1.1 1") && !head.startsWith("HTTP/1.1 101")) {
        head = raw.head();
      }
      assertThat(head).startsWith("HTTP/1.1 101");
    }
  }

  /** The endpoint's word that it wants the body is said once. */
  @Test
  void theBodyIsAskedForOnce() throws Exception {
    Upstream endpoint =
        opened(
            Upstream.start(
                vertx,
                request -> {
                  request.response().writeContinue();
                  request.body().onSuccess(body -> request.response().end(body));
                }));
    route("  - {name: a, endpoints: [\"" + endpoint.address() + "\"]}\n");

    try (RawClient raw = raw()) {
      raw.write(
          "POST / HTTP/1.1\r\nHost: a.service.orrery.localhost\r\nContent-Length: 5\r\n"
              + "Expect: 100-continue\r\n\r\n");
      assertThat(raw.head()).startsWith("HTTP/1.1 100");
      assertThat(raw.write("hello").answer()).startsWith("HTTP/1.1 200").endsWith("hello");
    }
  }
}
