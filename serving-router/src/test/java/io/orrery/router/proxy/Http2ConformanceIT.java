package io.orrery.router.proxy;

import static io.orrery.router.proxy.FrameClient.ACK;
import static io.orrery.router.proxy.FrameClient.DATA;
import static io.orrery.router.proxy.FrameClient.END_HEADERS;
import static io.orrery.router.proxy.FrameClient.END_STREAM;
import static io.orrery.router.proxy.FrameClient.GOAWAY;
import static io.orrery.router.proxy.FrameClient.HEADERS;
import static io.orrery.router.proxy.FrameClient.PING;
import static io.orrery.router.proxy.FrameClient.RST_STREAM;
import static io.orrery.router.proxy.FrameClient.SETTINGS;
import static io.orrery.router.proxy.FrameClient.field;
import static io.orrery.router.proxy.FrameClient.head;
import static io.orrery.router.proxy.FrameClient.setting;
import static io.orrery.router.proxy.Http2Rule.INTERNAL;
import static io.orrery.router.proxy.Http2Rule.NO_ERROR;
import static io.orrery.router.proxy.Http2Rule.PROTOCOL;
import static io.orrery.router.proxy.Http2Rule.REFUSED;
import static io.orrery.router.proxy.Http2Rule.STREAMS;
import static io.orrery.router.proxy.Http2Rule.bytes;
import static io.orrery.router.proxy.Http2Rule.get;
import static io.orrery.router.proxy.Http2Rule.rule;
import static io.orrery.router.proxy.Http2Rule.stream;
import static io.orrery.router.proxy.Http2Rule.without;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.router.proxy.FrameClient.Frame;
import io.orrery.router.proxy.Http2Rule.Alive;
import io.orrery.router.proxy.Http2Rule.Answer200;
import io.orrery.router.proxy.Http2Rule.ConnectionError;
import io.orrery.router.proxy.Http2Rule.Malformed;
import io.orrery.router.proxy.Http2Rule.StreamError;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests what RFC 9113 demands of a server, rule by rule (sections 3 to 8, and RFC 7541 for the
 * headers' compression): the router's listener is told something, and must answer as the rule says.
 * Two rules are taken more widely, because the codec cannot tell a closed stream from one that was
 * passed over: it refuses that stream alone (5.1, 5.1.1).
 */
class Http2ConformanceIT extends RouterIT {
  @BeforeEach
  void start() throws Exception {
    Upstream upstream = opened(Upstream.start(vertx, Http2ConformanceIT::answer));
    route("  - {name: a, endpoints: [\"" + upstream.address() + "\"]}\n");
  }

  private static void answer(HttpServerRequest request) {
    request.body().onSuccess(body -> request.response().end("hello"));
  }

  static List<Http2Rule> rules() {
    List<Http2Rule> all = new ArrayList<>();
    all.addAll(Http2FrameRules.frames());
    all.addAll(Http2StreamRules.streams());
    all.addAll(Http2FrameRules.framesByType());
    all.addAll(Http2FrameRules.settingsAndWindows());
    all.addAll(Http2MessageRules.messages());
    all.addAll(Http2MessageRules.compression());
    all.addAll(Http2StreamRules.ordinary());
    return all;
  }

  @ParameterizedTest
  @MethodSource("rules")
  void theListenerDoesWhatTheRuleSays(Http2Rule rule) throws Exception {
    try (FrameClient client = new FrameClient(router.port())) {
      client.greet();
      rule.script().run(client);
      switch (rule.verdict()) {
        case ConnectionError error -> assertThat(ending(client, false)).isIn(codes(error.codes()));
        case StreamError error -> assertThat(ending(client, true)).isIn(codes(error.codes()));
        case Malformed malformed -> assertThat(ending(client, true)).isIn("1", "closed", "400");
        case Answer200 good -> assertThat(client.answered(1)).isEqualTo("200");
        case Alive alive -> assertThat(pong(client)).isTrue();
      }
    }
    // Whatever one client did, the next is served.
    assertThat(get("a", "/").text()).isEqualTo("hello");
  }

  private static Set<String> codes(Integer... codes) {
    Set<String> all = Arrays.stream(codes).map(String::valueOf).collect(Collectors.toSet());
    all.add("closed");
    return all;
  }

  /**
   * How the router ended a stream or the connection: the code, a status it refused with, closed.
   */
  private static String ending(FrameClient client, boolean stream) throws IOException {
    String refused = null;
    try {
      for (Frame frame = client.read(); frame != null; frame = client.read()) {
        if (frame.type() == GOAWAY || (stream && frame.type() == RST_STREAM)) {
          // A GOAWAY without an error only says goodbye.
          if (frame.code() != NO_ERROR) {
            return Integer.toString(frame.code());
          }
        }
        if (frame.type() == HEADERS) {
          String status = FrameClient.status(frame);
          refused = status.equals("400") ? status : refused;
        }
        if (stream && refused != null && (frame.flags() & END_STREAM) != 0) {
          return refused;
        }
      }
    } catch (SocketTimeoutException silent) {
      return "nothing";
    }
    return refused == null ? "closed" : refused;
  }

  private static boolean pong(FrameClient client) throws IOException {
    byte[] ours = "are you ".getBytes(StandardCharsets.US_ASCII);
    client.frame(PING, 0, 0, ours);
    for (Frame frame = client.read(); frame != null; frame = client.read()) {
      if (frame.type() == PING && frame.flags() == ACK && Arrays.equals(frame.payload(), ours)) {
        return true;
      }
    }
    return false;
  }

  @Test
  void aPrefaceThatIsNoneClosesTheConnection() throws Exception {
    try (RawClient client = raw()) {
      client.write("PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n");
      // What is left is read as HTTP/1.1, of which it is none either.
      assertThat(client.rest()).doesNotContain("200 OK");
    }
  }

  @Test
  void aMalformedRequestHarmsNoOtherStream() throws Exception {
    try (FrameClient client = new FrameClient(router.port())) {
      client.greet();
      Http2Rule.open(client);
      byte[] nowhere = without(":path", field(":path", "/a b"));
      client.frame(HEADERS, END_HEADERS | END_STREAM, 3, nowhere);
      assertThat(client.answered(3)).isEqualTo("400");
      client.frame(HEADERS, END_HEADERS, 5, nowhere);
      assertThat(client.answered(5)).isEqualTo("400");
      assertThat(client.answered(5)).isEqualTo("error " + PROTOCOL);

      client.frame(DATA, END_STREAM, 1, bytes(1));
      assertThat(client.answered(1)).isEqualTo("200");
    }
  }

  @Test
  void anAnswerThatBreaksOffDoesNotEndWithoutAnError() throws Exception {
    RawEndpoint endpoint =
        opened(new RawEndpoint(head -> "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\nhalf^"));
    router.inbox().accept(table("  - {name: a, endpoints: [\"" + endpoint.address() + "\"]}\n"));

    try (FrameClient client = new FrameClient(router.port())) {
      assertThat(client.greet().ask(1).answered(1)).isEqualTo("error " + INTERNAL);
    }
  }

  @Test
  void settingsAreAcknowledged() throws Exception {
    try (FrameClient client = new FrameClient(router.port())) {
      client.greet(setting(STREAMS, 10));
      Frame frame = client.read();
      while (frame != null && !(frame.type() == SETTINGS && frame.flags() == ACK)) {
        frame = client.read();
      }
      assertThat(frame).isNotNull();
    }
  }

  @Test
  void moreStreamsThanAllowedAreRefused() throws Exception {
    try (FrameClient client = new FrameClient(router.port())) {
      client.greet();
      // As many as HTTP/2 recommends at least are taken, and no client may have without end.
      IntStream.range(0, 100)
          .forEach(i -> quietly(() -> client.frame(HEADERS, END_HEADERS, 2 * i + 1, head("POST"))));
      assertThat(pong(client)).isTrue();
      for (int i = 100; i < 2_000; i++) {
        client.frame(HEADERS, END_HEADERS, 2 * i + 1, head("POST"));
      }
      assertThat(ending(client, true)).isIn(codes(PROTOCOL, REFUSED));
    }
  }

  private interface Quiet {
    void run() throws IOException;
  }

  private static void quietly(Quiet action) {
    try {
      action.run();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
