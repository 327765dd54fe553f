package io.orrery.router.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.router.health.EndpointState;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A test of the rules of RFC 9110 and RFC 9112 for answers, and for what belongs to both ends and
 * passes as it is (E5), as docs/router.md has them. A second answer follows each on the client's
 * connection, so that one which is taken for longer or shorter than it is shows.
 */
@AlsoOverTls
class AnswerRulesIT extends RouterIT {
  private static final String HOST = "Host: a.service.orrery.localhost\r\n";
  private static final String AB = "Content-Length: 2\r\n\r\nab";
  private static final String NEXT = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnext";

  /** The heads that the endpoint was sent. */
  private final List<String> told = new CopyOnWriteArrayList<>();

  /** All that a client reads for a request and the next one, in lower case, without dates. */
  private String answers(String request, String answer) throws Exception {
    RawEndpoint endpoint =
        opened(
            new RawEndpoint(head -> {
              told.add(head);
              return head.startsWith("GET /next ") ? NEXT : answer;
            }));
    route("  - {name: a, endpoints: [\"" + endpoint.address() + "\"]}\n");
    try (RawClient raw = raw()) {
      raw.write(request + "GET /next HTTP/1.1\r\n" + HOST + "Connection: close\r\n\r\n");
      return raw.rest().toLowerCase(Locale.ROOT).replaceAll("date: [^\r]*\r\n", "");
    }
  }

  private String answers(String answer) throws Exception {
    return answers("GET / HTTP/1.1\r\n" + HOST + "\r\n", answer);
  }

  private static String andNext(String answer) {
    return answer + "http/1.1 200 ok\r\ncontent-length: 4\r\nconnection: close\r\n\r\nnext";
  }

  /** RFC 9112 section 6.3, RFC 9110 section 8.6: no length where no content can be. */
  @ParameterizedTest
  @ValueSource(strings = {"", "Content-Length: 5\r\n", "Transfer-Encoding: chunked\r\n"})
  void anAnswerWithoutContentHasNoLength(String fields) throws Exception {
    assertThat(answers("HTTP/1.1 204 No Content\r\n" + fields + "\r\n"))
        .isEqualTo(andNext("http/1.1 204 no content\r\n\r\n"));
  }

  /** RFC 9110 section 8.6: the length of a 304 is that of the content that the client has. */
  @ParameterizedTest
  @ValueSource(strings = {"", "Content-Length: 5\r\n", "Transfer-Encoding: chunked\r\n"})
  void notModifiedKeepsItsLengthAndGetsNone(String fields) throws Exception {
    String kept = fields.startsWith("C") ? "content-length: 5\r\n" : "";

    assertThat(answers("HTTP/1.1 304 Not Modified\r\n" + fields + "\r\n"))
        .isEqualTo(andNext("http/1.1 304 not modified\r\n" + kept + "\r\n"));
  }

  /** RFC 9110 section 15: a status that is not known passes as it is. */
  @ParameterizedTest
  @ValueSource(strings = {"200", "299", "302", "401", "499", "599", "600", "999"})
  void anyStatusOfThreeDigitsPasses(String status) throws Exception {
    assertThat(answers("HTTP/1.1 " + status + " Odd\r\n" + AB))
        .isEqualTo(andNext("http/1.1 " + status + " odd\r\ncontent-length: 2\r\n\r\nab"));
  }

  /** RFC 9112 section 4: a reason phrase may be empty, and nothing depends on it. */
  @ParameterizedTest
  @ValueSource(strings = {"HTTP/1.1 200", "HTTP/1.1 200 ", "HTTP/1.0 200 Fine"})
  void aStatusLineNeedsNoReason(String line) throws Exception {
    assertThat(answers(line + "\r\n" + AB))
        .startsWith("http/1.1 200")
        .endsWith(andNext("content-length: 2\r\n\r\nab"));
  }

  /**
   * RFC 9112 sections 2.2, 4, 5.1, 6.1 and 6.3: an answer whose form or end is in doubt is a 502,
   * with the phrase of a 502.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 099 Low\r\n" + AB,
        "HTTP/1.1 20 Short\r\n" + AB,
        "HTTP/1.1 1000 Long\r\n" + AB,
        "HTTP/1.1 abc None\r\n" + AB,
        "HTTP/2.0 200 OK\r\n" + AB,
        "ICY 200 OK\r\n" + AB,
        "HTTP/1.1 200 OK\n" + AB,
        "HTTP/1.1 200 OK\r\nX: 1\n" + AB,
        "HTTP/1.1 200 OK\r\nX: a\rb\r\n" + AB,
        "HTTP/1.1 200 OK\r\nX: a\u0000b\r\n" + AB,
        "HTTP/1.1 200 OK\r\n folded: x\r\n" + AB,
        "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n" + AB,
        "HTTP/1.1 200 OK\r\nContent-Length: 2, 2\r\n\r\nab",
        "HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\nab",
        "HTTP/1.1 200 OK\r\nContent-Length: +2\r\n\r\nab",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n" + AB,
        "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nab^"
      })
  void anAnswerThatCannotBeReadIsNone(String answer) throws Exception {
    assertThat(answers(answer))
        .startsWith("http/1.1 502 bad gateway\r\n")
        .contains("/problems/broken")
        .endsWith(andNext(""))
        .doesNotContain("\r\n\r\nab");
  }

  @Test
  void anAnswerWithMoreThanAHundredAndTwentyEightFieldsIsNone() throws Exception {
    String most = "HTTP/1.1 200 OK\r\n" + "X: y\r\n".repeat(127);

    assertThat(answers(most + AB)).startsWith("http/1.1 200");
    assertThat(answers(most + "X: y\r\n" + AB)).startsWith("http/1.1 502 bad gateway\r\n");
  }

  /** Such answers count as bad ones: an endpoint that gives no others is left out. */
  @Test
  void anEndpointWhoseAnswersCannotBeReadIsEjected() throws Exception {
    List<RawEndpoint> endpoints = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      endpoints.add(
          opened(
              new RawEndpoint(
                  head -> "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n")));
    }
    route(
        "  - {name: a, balance: round-robin, ejection: {consecutive: 3, for: 1h, atMost: 50%}, "
            + "endpoints: %s}\n"
                .formatted(endpoints.stream().map(each -> '"' + each.address() + '"').toList()));

    for (int i = 0; i < 6; i++) {
      assertThat(send(to(HttpMethod.POST, "a", "/"), Buffer.buffer("x")).status()).isEqualTo(502);
    }

    assertThat(router.inbox().current().state("a").endpoints())
        .filteredOn(EndpointState::ejected)
        .hasSize(1);
  }

  /** RFC 9112 sections 5.1 and 5.2: space before a colon and folded lines reach no client. */
  @ParameterizedTest
  @ValueSource(strings = {"X : 1 2\r\n", "X: 1\r\n 2\r\n"})
  void fieldsInAFormOfOldArePassedInTheirOwnOrMakeTheAnswerNone(String fields) throws Exception {
    String got = answers("HTTP/1.1 200 OK\r\n" + fields + AB);

    if (fastPath) {
      assertThat(got).startsWith("http/1.1 502 bad gateway\r\n").endsWith(andNext(""));
    } else {
      assertThat(got)
          .isEqualTo(andNext("http/1.1 200 ok\r\nx: 1 2\r\ncontent-length: 2\r\n\r\nab"));
    }
  }

  /** RFC 9112 section 8: what is cut short is not taken for whole. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length: 90000\r\n\r\nab^",
        "Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n^",
        "Transfer-Encoding: chunked\r\n\r\ng\r\nab\r\n0\r\n\r\n"
      })
  void anIncompleteAnswerEndsTheConnection(String answer) throws Exception {
    assertThat(answers("HTTP/1.1 200 OK\r\n" + answer))
        .startsWith("http/1.1 200 ok\r\n")
        .doesNotContain("next", "\r\n0\r\n");
  }

  /** RFC 9110 sections 7.6.1 and 11.7: what an endpoint tells the router stays with the router. */
  @Test
  void fieldsOfTheConnectionStay() throws Exception {
    assertThat(
            answers(
                "HTTP/1.1 200 OK\r\nConnection: , x-a,, \r\nX-A: 1\r\nKeep-Alive: timeout=5\r\n"
                    + "Proxy-Authenticate: Basic\r\nProxy-Connection: x\r\nUpgrade: foo\r\n"
                    + AB))
        .isEqualTo(andNext("http/1.1 200 ok\r\ncontent-length: 2\r\n\r\nab"));
  }

  /** RFC 9110 sections 7.7, 8, 10.2, 11.6, 13, 14, 15.4: all else of an answer is the client's. */
  @Test
  void whatAnEndpointTellsTheClientPassesAsItIs() throws Exception {
    String fields =
        "content-type: multipart/byteranges; boundary=x\r\ncontent-range: bytes 0-1/9\r\n"
            + "content-encoding: br\r\ncontent-location: /y\r\netag: w/\"1\"\r\nvary: *\r\n"
            + "last-modified: sun, 06 nov 1994 08:49:37 gmt\r\naccept-ranges: bytes\r\nage: 3\r\n"
            + "cache-control: no-transform\r\nlocation: //elsewhere/%zz#f\r\nserver: me\r\n"
            + "allow: get, head\r\nretry-after: 5\r\nvia: 1.1 x\r\n"
            + "www-authenticate: basic realm=\"x\", digest\r\nwww-authenticate: bearer\r\n"
            + "authentication-info: q\r\nset-cookie: a=1\r\nset-cookie: b=2\r\n";

    assertThat(answers("HTTP/1.1 206 Partial\r\n" + fields + AB))
        .isEqualTo(andNext("http/1.1 206 partial\r\n" + fields + "content-length: 2\r\n\r\nab"));
  }

  /** RFC 9110 sections 4.2.3, 7.7, 10.1, 11.6, 12.5, 13.1, 14.2: the same for a request. */
  @Test
  void whatAClientTellsTheEndpointPassesAsItIs() throws Exception {
    String target = "/%2e%2E/a//b/../c;x=%zz?a=b&&%00";
    String fields =
        "Accept: */*;q=0.1\r\nAccept-Encoding: zstd;q=0, *\r\nIf-None-Match: \"a\", W/\"b\"\r\n"
            + "Range: bytes=0-,-5\r\nAuthorization: Basic x\r\nCookie: a=1\r\nReferer: x\r\n"
            + "User-Agent: \r\nFrom: a@b\r\nCache-Control: no-transform\r\n";

    assertThat(
            answers(
                "GET "
                    + target
                    + " HTTP/1.1\r\n"
                    + HOST
                    + fields
                    + "Proxy-Authorization: Basic y\r\nVia: 1.0 fred\r\n\r\n",
                "HTTP/1.1 200 OK\r\n" + AB))
        .endsWith(andNext("ab"));

    assertThat(told.getFirst())
        .startsWith("GET " + target + " HTTP/1.1\r\n")
        .contains(fields)
        .containsIgnoringCase("\r\nVia: 1.0 fred, 1.1 orrery\r\n")
        .doesNotContainIgnoringCase("proxy-authorization");
  }

  /** RFC 9110 sections 9.1 and 16.1: methods are words of the endpoint, in upper or lower case. */
  @ParameterizedTest
  @ValueSource(strings = {"get", "PROPFIND", "M-SEARCH", "QUERY"})
  void anyMethodPasses(String method) throws Exception {
    assertThat(answers(method + " /x HTTP/1.1\r\n" + HOST + "\r\n", "HTTP/1.1 200 OK\r\n" + AB))
        .endsWith(andNext("ab"));
    assertThat(told.getFirst()).startsWith(method + " /x HTTP/1.1\r\n");
  }

  /** RFC 9112 section 2.2: empty lines before a request are left out; space is no field. */
  @Test
  void aRequestMayComeAfterEmptyLines() throws Exception {
    assertThat(
            answers("\r\n\r\n\r\nGET / HTTP/1.1\r\n" + HOST + "\r\n", "HTTP/1.1 200 OK\r\n" + AB))
        .endsWith(andNext("ab"));
    assertThat(answers("GET / HTTP/1.1\r\n " + HOST + "\r\n", "HTTP/1.1 200 OK\r\n" + AB))
        .startsWith("http/1.1 400 ")
        .doesNotContain("next");
  }

  /** RFC 9112 section 7.1.1: what a chunk says of itself concerns no reader of the body. */
  @Test
  void extensionsOfChunksChangeNoBody() throws Exception {
    String got =
        answers(
            "POST / HTTP/1.1\r\n"
                + HOST
                + "Transfer-Encoding: Chunked\r\n\r\n2;x=\"a;b\"\r\nab\r\n0;y\r\nX-T: 1\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;z=\"q\"\r\nab\r\n0;e\r\n\r\n");

    assertThat(got.replaceAll(";[^\r]*", "")).contains("\r\n\r\n2\r\nab\r\n0\r\n\r\n");
    assertThat(String.join("", told).replaceAll(";[a-z][^\r]*", "")).contains("2\r\nab\r\n0\r\n");
  }

  /** RFC 9110 section 7.4: a host that is not served is not found, and the connection stays. */
  @ParameterizedTest
  @ValueSource(strings = {"nowhere.example", ""})
  void aRequestForAnotherHostIsNotFound(String host) throws Exception {
    assertThat(answers("GET / HTTP/1.1\r\nHost: " + host + "\r\n\r\n", "HTTP/1.1 200 OK\r\n" + AB))
        .startsWith("http/1.1 404 ")
        .endsWith(andNext(""));
  }
}
