package io.orrery.router.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.access.OriginPasses;
import io.orrery.router.policy.RouterProblem;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Requests for guarded services, byte by byte. Each request is checked by itself, whatever came
 * before it on the connection, and the fast path and the general one treat all of them alike.
 */
@AlsoOverTls
class GuardedHeadsIT extends RouterIT {
  private static final String LAB = " HTTP/1.1\r\nHost: a.service.orrery.localhost\r\n";
  private static final String OPEN = " HTTP/1.1\r\nHost: open.service.orrery.localhost\r\n";
  private static final String SMUGGLED = "GET /smuggled" + LAB + "\r\n";
  private static final String NO_PASS = RouterProblem.noPass().json();

  private final OriginPasses passes = new OriginPasses(new byte[32]);
  private final String pass = passes.pass("a", 1, Instant.now());
  private final String shown = "Cookie: orrery_pass_a=" + pass + "\r\n";

  /** The requests that the endpoint got: method, address and body. */
  private final List<String> seen = new CopyOnWriteArrayList<>();

  @Override
  OriginPasses passes() {
    return passes;
  }

  @BeforeEach
  void start() throws Exception {
    Upstream endpoint = opened(Upstream.start(vertx, this::answer));
    String open = "  - {name: open, endpoints: [\"" + endpoint.address() + "\"]}\n";
    route(guarded(endpoint.address()) + open);
  }

  private static String guarded(String address) {
    return "  - {name: a, endpoints: [\""
        + address
        + "\"], access: {audience: a, epoch: 1}, inject: {authorization: derived}}\n";
  }

  private void answer(HttpServerRequest request) {
    request
        .body()
        .onSuccess(body -> {
          seen.add(request.method() + " " + request.uri() + " " + body);
          request
              .response()
              .end(
                  request.headers().getAll("Cookie")
                      + " "
                      + request.headers().getAll("Authorization"));
        });
  }

  private RawClient connected() throws IOException {
    return raw();
  }

  private String token() {
    return "token " + passes.token("a");
  }

  private static String body(String answer) {
    return answer.substring(answer.indexOf("\r\n\r\n") + 4);
  }

  private double handedOver() {
    return metric("orrery_router_handed_over_total");
  }

  @Test
  void theEndpointGetsNothingOfThePlatformsWhereverItStands() throws Exception {
    try (RawClient raw = connected()) {
      raw.write(
          "GET /x"
              + LAB
              + "Cookie: a=1; orrery_session=s\r\ncookie: orrery_pass_b=q;orrery_pass_a=old; b=2\r\n"
              + "Authorization: one\r\n"
              + shown
              + "COOKIE: orrery_session=t\r\naUTHORIZATION: two\r\nCookie: c=3\r\n\r\n");
      assertThat(body(raw.answer())).isEqualTo("[a=1, b=2, c=3] [" + token() + "]");
    }
    assertThat(handedOver()).isZero();
  }

  @Test
  void everyRequestOfAConnectionIsJudgedByItself() throws Exception {
    String body = "Content-Length: " + SMUGGLED.length() + "\r\n\r\n" + SMUGGLED;
    try (RawClient raw = connected()) {
      raw.write(
          "GET /1"
              + LAB
              + shown
              + "\r\nPOST /2"
              + LAB
              + body
              + "POST /3"
              + LAB
              + shown
              + body
              + "POST /4"
              + LAB
              + "Transfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\nGET /5"
              + OPEN
              + "\r\nGET /6"
              + LAB
              + "\r\nDELETE /7"
              + LAB
              + shown
              + "Origin: http://open.service.orrery.localhost\r\n\r\nDELETE /8"
              + LAB
              + shown
              + "Origin: http://a.service.orrery.localhost\r\n\r\n");
      assertThat(body(raw.answer())).isEqualTo("[] [" + token() + "]");
      assertThat(body(raw.answer())).isEqualTo(NO_PASS);
      assertThat(body(raw.answer())).isEqualTo("[] [" + token() + "]");
      assertThat(body(raw.answer())).isEqualTo(NO_PASS);
      assertThat(body(raw.answer())).isEqualTo("[] []");
      assertThat(body(raw.answer())).isEqualTo(NO_PASS);
      assertThat(body(raw.answer())).isEqualTo(RouterProblem.foreignOrigin().json());
      assertThat(body(raw.answer())).isEqualTo("[] [" + token() + "]");
    }
    assertThat(seen).containsExactly("GET /1 ", "POST /3 " + SMUGGLED, "GET /5 ", "DELETE /8 ");
    assertThat(handedOver()).isZero();
    assertThat(metric("orrery_router_refusals_total{reason=\"no_pass\"}")).isEqualTo(4);
  }

  @Test
  void aCookieThatIsSplitIsNoPass() throws Exception {
    String half = pass.substring(0, 20);
    String rest = pass.substring(20);
    for (String cookies :
        List.of(
            "Cookie: orrery_pass_a=\r\nCookie: " + pass + "\r\n",
            "Cookie: orrery_pass_a=" + half + "\r\nCookie: " + rest + "\r\n",
            "Cookie: orrery_pass_a\r\nCookie: =" + pass + "\r\n",
            "Cookie: orrery_pass_a=" + half + "; " + rest + "\r\n",
            "Cookie: Orrery_Pass_A=" + pass + "\r\n",
            "Cookie: orrery_pass_a=\"" + pass + "\"\r\n",
            "Cookie: x=orrery_pass_a=" + pass + "\r\n",
            "Cookie2: orrery_pass_a=" + pass + "\r\n",
            "X-Cookie: orrery_pass_a=" + pass + "\r\n",
            "Cookie: " + "orrery_pass_a=x;".repeat(4) + "orrery_pass_a=" + pass + "\r\n")) {
      try (RawClient raw = connected()) {
        String answer = raw.write("GET /" + LAB + cookies + "\r\n").answer();
        assertThat(answer).as(cookies).startsWith("HTTP/1.1 401 ");
        assertThat(body(answer)).as(cookies).isEqualTo(NO_PASS);
      }
    }
    assertThat(handedOver()).isZero();
    for (String cookies : List.of("Cookie : orrery_pass_a=" + pass + "\r\n", " " + shown)) {
      try (RawClient raw = connected()) {
        raw.write("GET /" + LAB + cookies + "\r\n" + SMUGGLED);
        assertThat(raw.rest()).as(cookies).startsWith("HTTP/1.1 400 ").doesNotContain("HTTP/1.1 2");
      }
    }
    assertThat(seen).isEmpty();
  }

  /** The general way unfolds a header line before it judges. */
  @Test
  void aFoldedCookieIsJudgedAndLeftOutAsOneLine() throws Exception {
    for (String cookies :
        List.of(
            "Cookie: orrery_pass_a=\r\n " + pass + "; orrery_session=s; a=1\r\n",
            "Cookie: a=1;\r\n\torrery_pass_a=" + pass + ";\r\n orrery_session=s\r\n",
            shown + " ; orrery_session=s; a=1\r\n")) {
      try (RawClient raw = connected()) {
        raw.write("GET /" + LAB + cookies + "\r\n" + SMUGGLED);
        assertThat(body(raw.answer())).as(cookies).isEqualTo("[a=1] [" + token() + "]");
        assertThat(body(raw.answer())).as(cookies).isEqualTo(NO_PASS);
      }
    }
    assertThat(seen).hasSize(3).containsOnly("GET / ");
  }

  @Test
  void theHostThatIsAskedForIsGuardedHoweverItIsWritten() throws Exception {
    String guarded = "a.service.orrery.localhost";
    String open = "open.service.orrery.localhost";
    for (String request :
        List.of(
            "GET / HTTP/1.1\r\nhOST: A.Service.ORRERY.localhost:81\r\n\r\n",
            "GET http://" + guarded + "/ HTTP/1.1\r\nHost: " + open + "\r\n\r\n",
            "GET HTTP://A.service.orrery.LOCALHOST:81/ HTTP/1.1\r\nHost: " + open + "\r\n\r\n")) {
      try (RawClient raw = connected()) {
        assertThat(body(raw.write("GET /open" + OPEN + "\r\n").answer())).isEqualTo("[] []");
        assertThat(body(raw.write(request).answer())).as(request).isEqualTo(NO_PASS);
        String withPass = request.substring(0, request.length() - 2) + shown + "\r\n";
        assertThat(body(raw.write(withPass).answer()))
            .as(request)
            .isEqualTo("[] [" + token() + "]");
      }
    }
    seen.clear();
    for (String request :
        List.of(
            "GET /" + OPEN + "Host: " + guarded + "\r\n\r\n",
            "GET /" + LAB + "Host: " + open + "\r\n" + shown + "\r\n",
            "GET /" + LAB + "Host: " + guarded + "\r\n" + shown + "\r\n",
            "GET / HTTP/1.1\r\nHost: " + guarded + ", " + open + "\r\n\r\n",
            "GET http://" + open + "@" + guarded + "/ HTTP/1.1\r\nHost: " + open + "\r\n\r\n")) {
      try (RawClient raw = connected()) {
        assertThat(raw.write(request + SMUGGLED).rest())
            .as(request)
            .startsWith("HTTP/1.1 400 ")
            .containsOnlyOnce("HTTP/1.1 ");
      }
    }
    assertThat(seen).isEmpty();
  }

  @Test
  void aPassCountsInACookieOnly() throws Exception {
    for (String request :
        List.of(
            "GET /?orrery_pass_a=" + pass + LAB,
            "GET /?ticket=" + pass + LAB,
            "GET /?ticket=orrery_pass_a=" + pass + LAB,
            "GET /orrery_pass_a=" + pass + ";orrery_pass_a=" + pass + LAB,
            "GET /" + LAB + "Authorization: Bearer " + pass + "\r\n",
            "GET /" + LAB + "Authorization: " + token() + "\r\n",
            "GET /" + LAB + "orrery_pass_a: " + pass + "\r\n",
            "GET /" + LAB + "X-Forwarded-For: 127.0.0.1\r\nX-Forwarded-Host: open\r\n")) {
      try (RawClient raw = connected()) {
        assertThat(body(raw.write(request + "\r\n").answer())).as(request).isEqualTo(NO_PASS);
      }
    }
    assertThat(seen).isEmpty();
    assertThat(handedOver()).isZero();
  }

  @Test
  void longHeadsAreJudgedAndThoseThatAreTooLongAreNot() throws Exception {
    List<String> heads = new CopyOnWriteArrayList<>();
    RawEndpoint endpoint =
        opened(
            new RawEndpoint(head -> {
              heads.add(head);
              return "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
            }));
    router.inbox().accept(table(guarded(endpoint.address())));
    String cookies = "Cookie: a=" + "x".repeat(40_000) + "\r\nCookie: orrery_session=s\r\n";
    try (RawClient raw = connected()) {
      assertThat(body(raw.write("GET /" + LAB + cookies + "\r\n").answer())).isEqualTo(NO_PASS);
      assertThat(raw.write("GET /" + LAB + cookies + shown + "\r\n").answer())
          .startsWith("HTTP/1.1 200 ");
    }
    for (String fields :
        List.of(cookies + shown + cookies, shown + ("X: " + "x".repeat(900) + "\r\n").repeat(80))) {
      try (RawClient raw = connected()) {
        raw.write("GET /" + LAB + fields + "\r\n" + SMUGGLED);
        assertThat(raw.rest()).startsWith("HTTP/1.1 431 ").doesNotContain("HTTP/1.1 2");
      }
    }
    assertThat(heads).hasSize(1);
    assertThat(heads.getFirst())
        .containsIgnoringCase("cookie: a=xxx")
        .containsIgnoringCase("authorization: " + token() + "\r\n")
        .doesNotContain("orrery_");
  }

  @Test
  void aRefusalForPeopleAndATicketTakeTheGeneralWayAndTheConnectionGoesOn() throws Exception {
    String ticket = "/x?ticket=" + passes.ticket("a", 1, Instant.now());
    for (String first :
        List.of("GET /" + LAB + "Accept: text/html\r\n\r\n", "GET " + ticket + LAB + "\r\n")) {
      double before = handedOver();
      try (RawClient raw = connected()) {
        String answer = raw.write(first).answer();
        if (first.contains("ticket")) {
          assertThat(answer).startsWith("HTTP/1.1 303 ").contains("orrery_pass_a=");
        } else {
          assertThat(answer).startsWith("HTTP/1.1 401 ").contains("<h1>A pass is needed</h1>");
        }
        assertThat(body(raw.write("GET /" + LAB + shown + "\r\n").answer()))
            .isEqualTo("[] [" + token() + "]");
        assertThat(body(raw.write("GET /" + LAB + "\r\n").answer())).isEqualTo(NO_PASS);
      }
      assertThat(handedOver() - before).isEqualTo(fastPath ? 1 : 0);
    }
    try (RawClient raw = connected()) {
      String refused = raw.write("HEAD /" + LAB + "Connection: close\r\n\r\n").rest();
      assertThat(refused).startsWith("HTTP/1.1 401 ").endsWith("\r\n\r\n");
      assertThat(refused).contains("application/problem+json");
    }
    assertThat(seen).hasSize(2);
  }

  @Test
  void aSecondAttemptHasTheHeadOfTheFirst() throws Exception {
    List<String> heads = new CopyOnWriteArrayList<>();
    RawEndpoint endpoint =
        opened(
            new RawEndpoint(head -> {
              heads.add(head);
              return heads.size() == 1 ? "^" : "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
            }));
    router.inbox().accept(table(guarded(endpoint.address())));

    try (RawClient raw = connected()) {
      assertThat(
              raw.write("GET /x" + LAB + "Cookie: orrery_session=s; k=v\r\n" + shown + "\r\n")
                  .answer())
          .startsWith("HTTP/1.1 200 ");
    }
    assertThat(heads).hasSize(2);
    assertThat(heads.getLast()).isEqualTo(heads.getFirst());
    assertThat(heads.getFirst())
        .containsIgnoringCase("cookie: k=v\r\n")
        .containsIgnoringCase("authorization: " + token() + "\r\n")
        .doesNotContain("orrery_");
  }
}
