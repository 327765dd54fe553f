package io.orrery.router.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Requests that two readers could read in two ways. Each is followed on its connection by a request
 * for {@code /smuggled}: the endpoint must never see that one.
 */
@AlsoOverTls
class SmugglingIT extends RouterIT {
  private static final String HOST = "Host: a.service.orrery.localhost\r\n";
  private static final String NEXT = "GET /smuggled HTTP/1.1\r\n" + HOST + "\r\n";

  private final List<String> seen = new ArrayList<>();

  @BeforeEach
  void start() throws Exception {
    Upstream upstream =
        opened(
            Upstream.start(
                vertx,
                request -> {
                  synchronized (seen) {
                    seen.add(request.uri());
                  }
                  request.response().end("ok");
                }));
    route("  - {name: a, endpoints: [\"" + upstream.address() + "\"]}\n");
  }

  static List<String> corpus() {
    List<String> all = new ArrayList<>();
    String post = "POST / HTTP/1.1\r\n" + HOST;
    // Lengths that contradict each other, themselves or a transfer coding.
    for (String lengths :
        List.of(
            "Content-Length: 5\r\nContent-Length: 6\r\n",
            "Content-Length: 5\r\nContent-Length: 5\r\n",
            "Content-Length: 5, 6\r\n",
            "Content-Length: 5, 5\r\n",
            "Content-Length: -5\r\n",
            "Content-Length: +5\r\n",
            "Content-Length: 0x5\r\n",
            "Content-Length: 5a\r\n",
            "Content-Length: 5 5\r\n",
            "Content-Length: 5.0\r\n",
            "Content-Length: \r\n",
            "Content-Length: 99999999999999999999\r\n",
            "Content-Length: \"5\"\r\n",
            "Content-Length: 5;\r\n",
            "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
            "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
            "Content-Length: 0\r\nTransfer-Encoding: chunked\r\n",
            "Content-Length: 5\r\nTransfer-Encoding: identity\r\n")) {
      all.add(post + lengths + "\r\nhello");
    }
    // Transfer codings that one reader might take for chunked and another not.
    for (String coding :
        List.of(
            "xchunked",
            "chunkedx",
            "chunked, identity",
            "identity, chunked",
            "gzip, chunked",
            "chunked, chunked",
            "chunked;x=1",
            "\"chunked\"",
            "'chunked'",
            "identity",
            "gzip",
            "cow",
            "",
            "chunked,",
            ", chunked",
            "\u000bchunked",
            "chunked\u0000")) {
      all.add(post + "Transfer-Encoding: " + coding + "\r\n\r\n5\r\nhello\r\n0\r\n\r\n");
    }
    all.add(post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
    all.add(post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: cow\r\n\r\n0\r\n\r\n");
    all.add(post + "Transfer-Encoding: cow\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
    all.add(post + "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n");
    all.add(post + " Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
    all.add(post + "Transfer-Encoding\t: chunked\r\n\r\n0\r\n\r\n");
    all.add(post + "X: 1\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
    all.add(post + "X: 1\rTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
    all.add(post + "Content-Length : 5\r\n\r\nhello");
    all.add(post + "Content-Length\u0000: 5\r\n\r\nhello");
    all.add("POST / HTTP/1.0\r\n" + HOST + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
    // Chunks whose length is in doubt.
    for (String chunk :
        List.of(
            "5\nhello\r\n0\r\n\r\n",
            "5\r\nhello\n0\r\n\r\n",
            "5\r\nhello0\r\n\r\n",
            "5\r\nhelloXX0\r\n\r\n",
            "0x5\r\nhello\r\n0\r\n\r\n",
            "-5\r\nhello\r\n0\r\n\r\n",
            "+5\r\nhello\r\n0\r\n\r\n",
            "g\r\nhello\r\n0\r\n\r\n",
            "FFFFFFFFFFFFFFFFF\r\nhello\r\n0\r\n\r\n",
            "\r\nhello\r\n0\r\n\r\n",
            "5\r\r\nhello\r\n0\r\n\r\n",
            "5;x=\ny\r\nhello\r\n0\r\n\r\n",
            "0\r\nX: 1\n\r\n",
            "0\r\nContent Length: 5\r\n\r\n")) {
      all.add(post + "Transfer-Encoding: chunked\r\n\r\n" + chunk);
    }
    // Lines that end too early, too late or not at all; names and hosts that are none.
    all.add("GET / HTTP/1.1\n" + HOST + "\r\n");
    all.add("GET / HTTP/1.1\r\nHost: a.service.orrery.localhost\n\r\n");
    all.add("GET / HTTP/1.1\r\n" + HOST + "X: a\u0000b\r\n\r\n");
    all.add("GET / HTTP/1.1\r\n" + HOST + ": nameless\r\n\r\n");
    all.add("GET / HTTP/1.1\r\n" + HOST + "X Y: 1\r\n\r\n");
    all.add("GET / HTTP/1.1\r\n" + HOST + "no colon\r\n\r\n");
    all.add("GET / HTTP/1.1\r\n" + HOST + HOST + "\r\n");
    all.add("GET / HTTP/1.1\r\n" + HOST + "Host: other\r\n\r\n");
    all.add("GET / HTTP/1.1\r\n\r\n");
    all.add("GET / HTTP/1.1\r\nHost: a.service.orrery.localhost, b\r\n\r\n");
    all.add("GET / HTTP/1.1\r\nHost: a.service.orrery.localhost/x\r\n\r\n");
    all.add("GET / HTTP/1.1\r\nHost: x@a.service.orrery.localhost\r\n\r\n");
    // E3: what only one of two decoders refuses.
    all.add(post + "Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n");
    all.add(post + "Transfer-Encoding: gzip,\r\n chunked\r\n\r\n0\r\n\r\n");
    all.add(post + "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
    all.add(post + "Content-Length: 0000000000000000000005\r\n\r\nhello");
    all.add(post + "Content-Length: 1234567890123456789\r\n\r\nhello");
    all.add("CONNECT a.service.orrery.localhost:80 HTTP/1.1\r\n" + HOST + "\r\n");
    all.add("GET * HTTP/1.1\r\n" + HOST + "\r\n");
    all.add("GET http:///x HTTP/1.1\r\n" + HOST + "\r\n");
    all.add("GET http://x@a.service.orrery.localhost/ HTTP/1.1\r\n" + HOST + "\r\n");
    all.add("GET ftp://a.service.orrery.localhost/ HTTP/1.1\r\n" + HOST + "\r\n");
    all.add("GET / HTTP/2.0\r\n" + HOST + "\r\n");
    all.add("GET / HTTP/3.0\r\n" + HOST + "\r\n");
    all.add("GET / HTTP/0.9\r\n" + HOST + "\r\n");
    all.add("GET /\u00e4 HTTP/1.1\r\n" + HOST + "\r\n");
    all.add("GET / HTTP/1.1 x\r\n" + HOST + "\r\n");
    all.add("GET / HTTP/9.9\r\n" + HOST + "\r\n");
    all.add("GET / HTP/1.1\r\n" + HOST + "\r\n");
    all.add("GET x HTTP/1.1\r\n" + HOST + "\r\n");
    all.add("G@T\u0000 / HTTP/1.1\r\n" + HOST + "\r\n");
    all.add("GET / HTTP/1.1\r\n" + HOST + "X: " + "y".repeat(70_000) + "\r\n\r\n");
    all.add("GET /" + "y".repeat(70_000) + " HTTP/1.1\r\n" + HOST + "\r\n");
    return all;
  }

  @Test
  void theCorpusIsAsLargeAsItShouldBe() {
    assertThat(corpus()).hasSizeGreaterThanOrEqualTo(60).doesNotHaveDuplicates();
  }

  /** E3: the connection ends with the refusal, and nothing behind it is a request. */
  @ParameterizedTest
  @MethodSource("corpus")
  void anAmbiguousRequestIsRefusedAndItsConnectionClosed(String request) throws Exception {
    try (RawClient raw = raw()) {
      boolean cut = isCutOff(raw, request + NEXT + NEXT);
      String answer = raw.rest();
      // A body that is none may cut its connection short; a head is answered.
      if (!answer.isEmpty() || (!cut && !request.contains("chunked\r\n\r\n"))) {
        assertThat(answer)
            .matches(Pattern.compile("HTTP/1\\.1 (400|414|431|501|505) .*", Pattern.DOTALL))
            .containsIgnoringCase("\r\nconnection: close\r\n")
            .doesNotContain("HTTP/1.1 200");
        assertThat(answer.split("\r\ncontent-length: ", -1)).hasSize(2);
      }
    }
    synchronized (seen) {
      assertThat(seen).doesNotContain("/smuggled");
    }
  }

  /** Whether the refusal of a long head ended the connection while the rest was being sent. */
  private boolean isCutOff(RawClient raw, String text) throws IOException {
    try {
      raw.write(text);
      return false;
    } catch (SocketException closed) {
      assertThat(way.overTls()).as("without TLS it is read to its end").isTrue();
      return true;
    }
  }

  /** E3: a request that came before is answered first. */
  @Test
  void whatCameBeforeARefusedRequestIsAnswered() throws Exception {
    try (RawClient raw = raw()) {
      raw.write(
          "GET /first HTTP/1.1\r\n"
              + HOST
              + "\r\nPOST /bad HTTP/1.1\r\n"
              + HOST
              + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"
              + NEXT);
      assertThat(raw.answer()).startsWith("HTTP/1.1 200");
      assertThat(raw.answer()).startsWith("HTTP/1.1 400");
      assertThat(raw.rest()).isEmpty();
    }
    assertThat(seen).containsExactly("/first");
  }

  /** E3: a client that goes on sending gets to read why it was refused (RFC 9112 section 9.6). */
  @Test
  void aRefusalReachesWhoGoesOnSending() throws Exception {
    assumeFalse(way.overTls(), "a connection of TLS is closed at once");
    try (RawClient raw = raw()) {
      raw.write("GET / HTTP/1.1\r\n" + HOST + HOST + "\r\n");
      raw.write(NEXT.repeat(4_000));
      assertThat(raw.answer()).startsWith("HTTP/1.1 400");
      assertThat(raw.rest()).isEmpty();
    }
    assertThat(seen).isEmpty();
  }

  /**
   * E3: what follows an upgrade to HTTP/2 that is not granted is the next request, and no tunnel.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Connection: upgrade, http2-settings\r\nUpgrade: h2c\r\n",
        "Connection: upgrade, http2-settings\r\nUpgrade: h2c\r\nHTTP2-Settings: !\r\n",
        "Connection: upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n"
      })
  void anUpgradeToHttp2ThatIsNotWellFormedIsIgnored(String fields) throws Exception {
    try (RawClient raw = raw()) {
      raw.write("GET /1 HTTP/1.1\r\n" + HOST + fields + "\r\n" + NEXT.replace("smuggled", "2"));
      assertThat(raw.answer()).startsWith("HTTP/1.1 200");
      assertThat(raw.answer()).startsWith("HTTP/1.1 200");
    }
    assertThat(seen).containsExactly("/1", "/2");
  }

  /** E3: the same at a later request, where Vert.x would pass it on and open a tunnel. */
  @Test
  void anUpgradeToHttp2InTheMiddleOfAConnectionIsIgnored() throws Exception {
    try (RawClient raw = raw()) {
      raw.write(NEXT.replace("/smuggled", "http://a.service.orrery.localhost/1"));
      assertThat(raw.answer()).startsWith("HTTP/1.1 200");
      raw.write(
          "GET /2 HTTP/1.1\r\n"
              + HOST
              + "Connection: upgrade, http2-settings\r\nUpgrade: h2c\r\n"
              + "HTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n"
              + NEXT.replace("smuggled", "3"));
      assertThat(raw.answer()).startsWith("HTTP/1.1 200");
      assertThat(raw.answer()).startsWith("HTTP/1.1 200");
    }
    assertThat(seen).containsExactly("/1", "/2", "/3");
  }

  /** E3: a client that waits to be asked for its body may leave it out when it is refused. */
  @Test
  void aRefusalOfABodyThatWasNotAskedForEndsTheConnection() throws Exception {
    try (RawClient raw = raw()) {
      raw.write(
          "POST / HTTP/1.1\r\nHost: absent\r\nContent-Length: 50\r\nExpect: 100-continue\r\n\r\n"
              + NEXT);
      assertThat(raw.answer())
          .startsWith("HTTP/1.1 404")
          .containsIgnoringCase("\r\nconnection: close\r\n");
      assertThat(raw.rest()).isEmpty();
    }
    assertThat(seen).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET  / HTTP/1.1\r\n" + HOST + "\r\n",
        "GET / HTTP/1.1\r\n" + HOST + "X: 1\r\n folded\r\n\r\n",
        "GET / HTTP/1.1\r\n" + HOST + "X: 1\r\n Content-Length: 50\r\n\r\n",
        "\r\nGET / HTTP/1.1\r\n" + HOST + "\r\n"
      })
  void requestsThatCanBeRepairedArePassedOnRepaired(String request) throws Exception {
    try (RawClient raw = raw()) {
      raw.write(request + NEXT);
      assertThat(raw.answer()).startsWith("HTTP/1.1 200");
      assertThat(raw.answer()).startsWith("HTTP/1.1 200");
    }
    assertThat(seen).containsExactly("/", "/smuggled");
  }

  @Test
  void aSoundRequestBesideThemPasses() throws Exception {
    try (RawClient raw = raw()) {
      raw.write("POST / HTTP/1.1\r\n" + HOST + "Content-Length: 5\r\n\r\nhello" + NEXT);
      assertThat(raw.answer()).startsWith("HTTP/1.1 200");
      assertThat(raw.answer()).startsWith("HTTP/1.1 200");
    }
    assertThat(seen).containsExactly("/", "/smuggled");
  }
}
