package io.orrery.router.proxy;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A test of the rules of RFC 9110 and RFC 9112 for messages (E4, E5), as docs/router.md has them.
 */
@AlsoOverTls
class MessageRulesIT extends RouterIT {
  private static final String HOST = "Host: a.service.orrery.localhost\r\n";
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

  /** The heads that the endpoint was sent, in lower case. */
  private final List<String> told = new CopyOnWriteArrayList<>();

  private void answering(String answer) throws Exception {
    RawEndpoint endpoint =
        opened(
            new RawEndpoint(head -> {
              told.add(head);
              return answer;
            }));
    route("  - {name: a, endpoints: [\"" + endpoint.address() + "\"]}\n");
  }

  /** All heads up to that of the answer. */
  private static List<String> heads(RawClient raw) throws Exception {
    List<String> heads = new ArrayList<>();
    do {
      heads.add(raw.head());
    } while (heads.getLast().startsWith("HTTP/1.1 1"));
    return heads;
  }

  /** E5: RFC 9110 section 15.2. */
  @Test
  void whatAnEndpointSaysBeforeItsAnswerReachesTheClient() throws Exception {
    answering(
        "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\nConnection: close\r\nContent-Length: 5\r\n\r\n"
            + "HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </y>\r\n\r\n"
            + OK);

    try (RawClient raw = raw()) {
      for (int i = 0; i < 2; i++) {
        raw.write("GET / HTTP/1.1\r\n" + HOST + "\r\n");
        List<String> heads = heads(raw);
        assertThat(heads.getFirst().toLowerCase(Locale.ROOT))
            .startsWith("http/1.1 103 ")
            .contains("link: </x>")
            .doesNotContain("connection", "content-length");
        assertThat(heads.get(heads.size() - 2).toLowerCase(Locale.ROOT)).contains("link: </y>");
        assertThat(heads.getLast()).startsWith("HTTP/1.1 200");
        assertThat(raw.some(2)).isEqualTo("ok");
      }
    }
    try (RawClient old = raw()) {
      old.write("GET / HTTP/1.0\r\n" + HOST + "\r\n");
      assertThat(old.head()).contains(" 200 ");
    }
  }

  /** E5: RFC 9110 section 5.3: lines of one name are one list. */
  @Test
  void aListInSeveralLinesIsOneList() throws Exception {
    answering(OK);

    try (RawClient raw = raw()) {
      raw.write(
          "GET / HTTP/1.1\r\n"
              + HOST
              + "X-A: 1\r\nX-B: 2\r\nTE: gzip\r\nTE: trailers\r\nConnection: x-a, TE\r\n"
              + "Connection: x-b\r\nConnection: close\r\n\r\n");
      assertThat(raw.answer().toLowerCase(Locale.ROOT))
          .startsWith("http/1.1 200")
          .contains("\r\nconnection: close\r\n");
      assertThat(raw.rest()).isEmpty();
    }
    assertThat(told.getFirst().toLowerCase(Locale.ROOT))
        .contains("\r\nte: trailers\r\n")
        .doesNotContain("x-a", "x-b", "gzip", "connection: ");
  }

  /** E5: the same for a rule that compares one. */
  @Test
  void aRuleSeesAllLinesOfAHeader() throws Exception {
    Upstream one = opened(Upstream.named(vertx, "one"));
    Upstream two = opened(Upstream.named(vertx, "two"));
    route(
        "  - {name: a, hosts: [x.orrery.localhost], endpoints: [\""
            + one.address()
            + "\"]}\n  - {name: b, hosts: [x.orrery.localhost], endpoints: [\""
            + two.address()
            + "\"], match: [{header: {X-Model: 'm, n'}}]}\n");

    try (RawClient raw = raw()) {
      raw.write("GET / HTTP/1.1\r\nHost: x.orrery.localhost\r\nX-Model: m\r\nx-model: n\r\n\r\n");
      assertThat(raw.answer()).endsWith("two");
      raw.write("GET / HTTP/1.1\r\nHost: x.orrery.localhost\r\nX-Model: m\r\n\r\n");
      assertThat(raw.answer()).endsWith("one");
    }
  }

  /** E5: RFC 9110 section 2.5: a minor version above ours is read as ours. */
  @ParameterizedTest
  @ValueSource(strings = {"HTTP/1.1", "HTTP/1.2", "HTTP/1.9"})
  void aLaterMinorVersionIsReadAsOurs(String version) throws Exception {
    answering(OK);

    try (RawClient raw = raw()) {
      for (int i = 0; i < 2; i++) {
        raw.write("GET / " + version + "\r\n" + HOST + "\r\n");
        assertThat(raw.answer()).startsWith("HTTP/1.1 200").endsWith("ok");
      }
    }
    assertThat(told).hasSize(2).allMatch(head -> head.startsWith("GET / HTTP/1.1\r\n"));
  }

  /** E5: RFC 9112 section 6.1 has the coding for 1.1 and later minor revisions. */
  @Test
  void aLaterMinorVersionHasTheTransferCodingOfOurs() throws Exception {
    route("  - {name: a, endpoints: [\"" + echo() + "\"]}\n");
    String head = "POST / HTTP/1.2\r\n" + HOST + "Transfer-Encoding: chunked\r\n";

    try (RawClient raw = raw()) {
      for (int i = 0; i < 2; i++) {
        raw.write(head + "\r\n3\r\nabc\r\n0\r\n\r\n");
        assertThat(raw.answer()).startsWith("HTTP/1.1 200").endsWith("abc");
      }
      // What is judged in ours is judged in theirs.
      raw.write(head + "Content-Length: 3\r\n\r\n3\r\nabc\r\n0\r\n\r\n");
      assertThat(raw.answer()).startsWith("HTTP/1.1 400");
      assertThat(raw.rest()).isEmpty();
    }
  }

  private String echo() throws Exception {
    return opened(
            Upstream.start(
                vertx, request -> request.body().onSuccess(body -> request.response().end(body))))
        .address();
  }

  /** E5: RFC 9112 section 3.2.2: the address says whom the request is for, not the Host. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://a.service.orrery.localhost?q=/x&r=http://b, /?q=/x&r=http://b",
        "http://a.service.orrery.localhost, /",
        "HTTP://a.service.orrery.localhost/p?q, /p?q",
      })
  void anAddressInAbsoluteFormIsReadAsItsParts(String addresses) throws Exception {
    answering(OK);
    String[] both = addresses.split(", ", 2);

    try (RawClient raw = raw()) {
      raw.write("GET " + both[0] + " HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n");
      assertThat(raw.answer()).startsWith("HTTP/1.1 200");
    }
    assertThat(told.getFirst()).startsWith("GET " + both[1] + " HTTP/1.1\r\n");
    assertThat(told.getFirst().toLowerCase(Locale.ROOT))
        .contains("\r\nhost: a.service.orrery.localhost\r\n")
        .doesNotContain("elsewhere");
  }

  /** E5: one limit, whichever way a request takes. */
  @Test
  void anAddressMayHaveSixteenKilobytesWithItsLine() throws Exception {
    answering(OK);
    int rest = "GET / HTTP/1.1".length();

    try (RawClient raw = raw()) {
      raw.write("GET /" + "x".repeat(16 * 1024 - rest) + " HTTP/1.1\r\n" + HOST + "\r\n");
      assertThat(raw.answer()).startsWith("HTTP/1.1 200");
      raw.write("GET /" + "x".repeat(16 * 1024 - rest + 1) + " HTTP/1.1\r\n" + HOST + "\r\n");
      assertThat(raw.answer()).startsWith("HTTP/1.1 414").contains("16,384 bytes");
      assertThat(raw.rest()).isEmpty();
    }
    assertThat(http2("/" + "x".repeat(16 * 1024 - rest), "")).startsWith("200");
    assertThat(http2("/" + "x".repeat(16 * 1024 - rest + 1), ""))
        .startsWith("414")
        .contains("16,384 bytes");
  }

  /** E5: the same for all headers together. */
  @Test
  void headersMayHaveSixtyFourKilobytes() throws Exception {
    answering(OK);
    String many = ("X: " + "y".repeat(995) + "\r\n").repeat(60);

    try (RawClient raw = raw()) {
      raw.write("GET / HTTP/1.1\r\n" + HOST + many + "\r\n");
      assertThat(raw.answer()).startsWith("HTTP/1.1 200");
      raw.write("GET / HTTP/1.1\r\n" + HOST + many + many.substring(0, 8_000) + "\r\n");
      assertThat(raw.answer()).startsWith("HTTP/1.1 431").contains("65,536 bytes");
      assertThat(raw.rest()).isEmpty();
    }
    assertThat(http2("/", "y".repeat(60_000))).startsWith("200");
  }

  /** What a head costs grows with the number of its fields, whatever they weigh. */
  @Test
  void aHeadMayHaveAHundredAndTwentyEightFields() throws Exception {
    answering(OK);
    String most = "X: y\r\n".repeat(127);

    try (RawClient raw = raw()) {
      raw.write("GET / HTTP/1.1\r\n" + HOST + most + "\r\n");
      assertThat(raw.answer()).startsWith("HTTP/1.1 200");
      raw.write("GET / HTTP/1.1\r\n" + HOST + most + "X: y\r\n\r\n");
      assertThat(raw.answer()).startsWith("HTTP/1.1 431").contains("128 header fields");
      assertThat(raw.rest()).isEmpty();
    }
    assertThat(http2("/", Collections.nCopies(128, "y"))).startsWith("200");
    assertThat(http2("/", Collections.nCopies(129, "y")))
        .startsWith("431")
        .contains("128 header fields");
    assertThat(told).hasSize(2);
  }

  private String http2(String uri, String header) throws Exception {
    return http2(uri, List.of(header));
  }

  /** Status and body of a GET over HTTP/2 with some fields of one name. */
  private String http2(String uri, List<String> fields) throws Exception {
    HttpClient http2 =
        vertx.createHttpClient(
            speaking(new HttpClientOptions())
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setHttp2ClearTextUpgrade(false));
    try {
      return Future.<String>future(answered ->
              vertx.runOnContext(turn ->
                  http2
                      .request(to(HttpMethod.GET, "a", uri))
                      .compose(request -> request.putHeader("x", fields).send())
                      .compose(
                          answer -> answer.body().map(body -> answer.statusCode() + " " + body))
                      .onComplete(answered)))
          .await(20, SECONDS);
    } finally {
      http2.close().await(5, SECONDS);
    }
  }

  /** E5: RFC 9112 section 7.1. */
  @ParameterizedTest
  @ValueSource(strings = {"zz\r\n", "3\r\nabcd\r\n0\r\n\r\n", "3\r\nabc\r\n0\r\nX Y: 1\r\n\r\n"})
  void aBodyThatIsNotInChunksIsAnsweredWith400(String body) throws Exception {
    answering("");

    try (RawClient raw = raw()) {
      raw.write("POST / HTTP/1.1\r\n" + HOST + "Transfer-Encoding: chunked\r\n\r\n" + body);
      assertThat(raw.answer())
          .startsWith("HTTP/1.1 400")
          .contains("application/problem+json", "the body is not in chunks")
          .containsIgnoringCase("\r\nconnection: close\r\n");
      assertThat(raw.rest()).isEmpty();
    }
  }

  /** E4: bytes beyond ASCII pass as they are, or not at all. */
  @Test
  void bytesBeyondAsciiAreNotWrittenAnew() throws Exception {
    String odd = "caf\u00e9 \u00e4\u00bd\u00a0 \u0080\u00ff";
    answering("HTTP/1.1 200 Tr\u00e8s bien\r\nX-Name: " + odd + "\r\nContent-Length: 2\r\n\r\nok");

    try (RawClient raw = raw()) {
      raw.write("GET / HTTP/1.1\r\n" + HOST + "X-Name: " + odd + "\r\n\r\n");
      String answer = raw.answer();
      assertThat(answer.lines().findFirst().orElseThrow())
          .isIn("HTTP/1.1 200 Tr\u00e8s bien", "HTTP/1.1 200 OK");
      assertThat(answer).containsIgnoringCase("x-name: " + odd + "\r\n");
    }
    assertThat(told.getFirst()).containsIgnoringCase("x-name: " + odd + "\r\n");
  }
}
