package io.orrery.router.proxy;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orrery.router.telemetry.Meters;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests what stands on the wire, byte by byte; and that the way that a request takes is not seen.
 */
@AlsoOverTls
class WireIT extends WireFixture {
  @Test
  void plainRequestsStayAndTheFirstThatIsNotTakesItsConnectionAlong() throws Exception {
    routeTo(echo().address());

    try (RawClient raw = raw()) {
      raw.write(
          "GET /1 HTTP/1.1\r\n"
              + HOST
              + "\r\nPOST /2 HTTP/1.1\r\n"
              + HOST
              + "Content-Length: 3\r\n\r\nabcGET /3 HTTP/1.1\r\n"
              + HOST
              + "\r\n");
      assertThat(raw.answer()).endsWith("/1 ");
      assertThat(raw.answer()).endsWith("/2 abc");
      assertThat(raw.answer()).endsWith("/3 ");
      assertThat(handedOver()).isZero();

      raw.write(
          "GET /4 HTTP/1.1\r\n"
              + HOST
              + "\r\nGET http://a.service.orrery.localhost/5 HTTP/1.1\r\n"
              + HOST
              + "\r\nGET /6 HTTP/1.1\r\n"
              + HOST
              + "\r\n");
      assertThat(raw.answer()).endsWith("/4 ");
      assertThat(raw.answer()).endsWith("/5 ");
      assertThat(raw.answer()).endsWith("/6 ");
    }
    assertThat(handedOver()).isEqualTo(fastPath ? 1 : 0);
    await().atMost(5, SECONDS).until(() -> metric("orrery_router_connections") == 0);
  }

  /** A connection remembers who its host belongs to: only as long as that is true. */
  @Test
  void aConnectionThatStaysSeesEveryTable() throws Exception {
    Upstream one = opened(Upstream.named(vertx, "one"));
    Upstream two = opened(Upstream.named(vertx, "two"));
    String a = "  - {name: a, endpoints: [\"" + one.address() + "\"]}\n";
    String b =
        "  - {name: b, hosts: [shared.orrery.localhost], endpoints: [\"" + two.address() + "\"]";
    String shared = "GET /beta/1 HTTP/1.1\r\nHost: shared.orrery.localhost\r\n\r\n";
    String owned = "GET / HTTP/1.1\r\n" + HOST + "\r\n";
    route(a + b + "}\n");

    try (RawClient raw = raw()) {
      assertThat(raw.write(owned).answer()).endsWith("one");
      assertThat(raw.write(owned).answer()).endsWith("one");
      assertThat(raw.write(shared).answer()).endsWith("two");

      // Another service takes a part of the host, then the service goes, and comes back elsewhere.
      String beta =
          "  - {name: c, hosts: [shared.orrery.localhost], match: [{path: /beta}], endpoints: [\""
              + one.address()
              + "\"]}\n";
      router.inbox().accept(table(a + b + "}\n" + beta));
      assertThat(raw.write(shared).answer()).endsWith("one");
      assertThat(raw.write(shared.replace("/beta/1", "/1")).answer()).endsWith("two");

      router.inbox().accept(table(a + b + ", split: 'a:100%'}\n"));
      assertThat(raw.write(shared).answer()).endsWith("one");
      await()
          .atMost(5, SECONDS)
          .until(() ->
              metric("orrery_router_request_duration_seconds_count{service=\"b\",version=\"a\"")
                  == 1);

      router.inbox().accept(table(b + "}\n"));
      assertThat(raw.write(shared).answer()).endsWith("two");
      router.inbox().accept(table("  - {name: a, endpoints: [\"" + two.address() + "\"]}\n"));
      assertThat(raw.write(owned).answer()).endsWith("two");
      assertThat(raw.write(shared).answer()).startsWith("HTTP/1.1 404");
    }
  }

  @Test
  void whoHasNotAnsweredIsNotAmongTheNumbers() throws Exception {
    String address = opened(Upstream.named(vertx, "one")).address();
    route(
        "  - {name: a, endpoints: [\""
            + address
            + "\"]}\n  - {name: b, endpoints: [\""
            + address
            + "\"], split: 'a:100%'}\n");

    assertThat(get("b", "/").text()).isEqualTo("one");

    await()
        .atMost(5, SECONDS)
        .untilAsserted(() ->
            assertThat(router.meters().answersOf("b"))
                .extracting(Meters.Answers::version)
                .containsExactly("a"));
    assertThat(router.meters().answersOf("a")).isEmpty();
  }

  @Test
  void aHeadThatComesInPiecesIsPutTogether() throws Exception {
    routeTo(echo().address());
    String request = "GET /x HTTP/1.1\r\n" + HOST + "X-Long: " + "y".repeat(3_000) + "\r\n\r\n";

    try (RawClient raw = raw()) {
      for (int size : List.of(1, 20, 1_500)) {
        for (int at = 0; at < request.length(); at += Math.max(size, request.length() / 40)) {
          int end = Math.min(request.length(), at + Math.max(size, request.length() / 40));
          raw.write(request.substring(at, end));
        }
        assertThat(raw.answer()).endsWith("/x ");
      }
    }
  }

  @Test
  void aChunkedBodyArrivesWholeHoweverItIsChunked() throws Exception {
    routeTo(echo().address());

    try (RawClient raw = raw()) {
      raw.write(
          "POST /c HTTP/1.1\r\n"
              + HOST
              + "Transfer-Encoding: chunked\r\n\r\n1;name=value\r\na\r\n003\r\nbcd\r\n0\r\nX: y\r\n\r\n"
              + "GET /d HTTP/1.1\r\n"
              + HOST
              + "\r\n");
      assertThat(raw.answer()).endsWith("/c abcd");
      assertThat(raw.answer()).endsWith("/d ");
    }
  }

  /** Else a few bytes a request would have as many answers kept for it as it likes. */
  @Test
  void whoReadsNothingIsAskedForNoMore() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    String answer = "HTTP/1.1 200 OK\r\nContent-Length: 20000\r\n\r\n" + "x".repeat(20_000);
    RawEndpoint endpoint =
        opened(
            new RawEndpoint(head -> {
              asked.incrementAndGet();
              return answer;
            }));
    routeTo(endpoint.address());

    try (RawClient raw = raw()) {
      raw.write(("GET / HTTP/1.1\r\n" + HOST + "\r\n").repeat(3_000));
      AtomicInteger before = new AtomicInteger();
      await()
          .during(1, SECONDS)
          .atMost(30, SECONDS)
          .until(() -> asked.get() > 0 && before.getAndSet(asked.get()) == asked.get());
      assertThat(asked).hasValueLessThan(1_500);
      for (int i = 0; i < 3_000; i++) {
        assertThat(raw.answer()).hasSizeGreaterThan(20_000);
      }
      assertThat(asked).hasValue(3_000);
    }
  }

  @Test
  void onlyTheRouterSaysThatARequestIsACopy() throws Exception {
    RawEndpoint endpoint =
        opened(
            new RawEndpoint(
                head -> "HTTP/1.1 200 OK\r\nContent-Length: " + head.length() + "\r\n\r\n" + head));
    routeTo(endpoint.address());

    try (RawClient raw = raw()) {
      raw.write("GET / HTTP/1.1\r\n" + HOST + "X-Orrery-Shadow-Of: a\r\nX-Other: b\r\n\r\n");
      assertThat(raw.answer().toLowerCase(Locale.ROOT))
          .contains("x-other: b")
          .doesNotContain("x-orrery-shadow-of");
    }
  }

  /** CGI and WSGI would read them as the fields that only the router writes. */
  @Test
  void noClientWritesTheRoutersFieldsWithUnderscores() throws Exception {
    RawEndpoint endpoint =
        opened(
            new RawEndpoint(
                head -> "HTTP/1.1 200 OK\r\nContent-Length: " + head.length() + "\r\n\r\n" + head));
    routeTo(endpoint.address());

    try (RawClient raw = raw()) {
      raw.write(
          "GET / HTTP/1.1\r\n"
              + HOST
              + "X_Forwarded_For: 6.6.6.6\r\nx-forwarded_proto: gopher\r\nX_FORWARDED-HOST: evil\r\n"
              + "X_Orrery_Shadow_Of: a\r\nContent_Length: 5\r\nTransfer_Encoding: chunked\r\n"
              + "Proxy_Authorization: Basic x\r\nX_Other: b\r\n\r\n");
      String told = raw.answer().toLowerCase(Locale.ROOT);
      assertThat(told)
          .contains(
              "x_other: b",
              "x-forwarded-for: 127.0.0.1",
              "x-forwarded-proto: " + way.scheme() + "\r\n");
      assertThat(told.replace("x_other", "")).doesNotContain("_");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://a.service.orrery.localhost:1\",for=\"6.6.6.6",
        "http://a.service.orrery.localhost:x@elsewhere",
        "http://a.service.orrery.localhost;x"
      })
  void aHostThatIsNoNameIsRefusedWhereverItStands(String address) throws Exception {
    routeTo(echo().address());

    try (RawClient raw = raw()) {
      raw.write("GET " + address + "/ HTTP/1.1\r\n" + HOST + "\r\n");
      assertThat(raw.head()).startsWith("HTTP/1.1 400");
    }
    try (RawClient raw = raw()) {
      raw.write("GET / HTTP/1.1\r\nHost: " + address.substring(7) + "\r\n\r\n");
      assertThat(raw.head()).startsWith("HTTP/1.1 400");
    }
  }

  @Test
  void whatIsLeftOfARequestThatWasTurnedAwayIsNotTakenForTheNext() throws Exception {
    route(
        "  - {name: a, endpoints: [\""
            + echo().address()
            + "\"], limits: {rate: 1/hour}}\n  - {name: b, endpoints: [\""
            + echo().address()
            + "\"]}\n");
    String body = "GET /smuggled HTTP/1.1\r\n" + HOST + "\r\n" + "x".repeat(100_000);

    try (RawClient raw = raw()) {
      raw.write("GET /1 HTTP/1.1\r\n" + HOST + "\r\n");
      assertThat(raw.answer()).startsWith("HTTP/1.1 200");
      raw.write(
          "POST /2 HTTP/1.1\r\n" + HOST + "Content-Length: " + body.length() + "\r\n\r\n" + body);
      assertThat(raw.answer()).startsWith("HTTP/1.1 429");
      raw.write("GET /3 HTTP/1.1\r\nHost: b.service.orrery.localhost\r\n\r\n");
      assertThat(raw.answer()).startsWith("HTTP/1.1 200").endsWith("/3 ");
    }
  }
}
