package io.orrery.router.proxy;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests and answers over HTTP/1.1, and what the router says itself. */
@AlsoOverTls
class ForwardIT extends RouterIT {
  @Test
  void aRequestReachesItsServiceAndTheAnswerItsClient() throws Exception {
    Upstream upstream =
        opened(
            Upstream.start(
                vertx,
                request ->
                    request
                        .body()
                        .onSuccess(body ->
                            request
                                .response()
                                .setStatusCode(201)
                                .setStatusMessage("Made")
                                .putHeader("X-Answer", "yes")
                                .end(request.method() + " " + request.uri() + " " + body))));
    route("  - {name: a, endpoints: [\"" + upstream.address() + "\"]}\n");

    Answer answer = send(to(HttpMethod.POST, "a", "/x/y?z=%20"), Buffer.buffer("hello"));

    assertThat(answer.status()).isEqualTo(201);
    assertThat(answer.response().statusMessage()).isEqualTo("Made");
    assertThat(answer.response().getHeader("x-answer")).isEqualTo("yes");
    assertThat(answer.text()).isEqualTo("POST /x/y?z=%20 hello");
    // The client may have its answer a moment before that is counted.
    await()
        .atMost(5, SECONDS)
        .until(() ->
            metric(
                    "orrery_router_request_duration_seconds_count{service=\"a\",version=\"a\",code=\"2xx\"}")
                == 1);
  }

  @Test
  void anUnknownHostIsNotFoundAndASickServiceUnavailable() throws Exception {
    route("  - {name: a}\n");

    Answer unknown = get("b", "/");
    Answer sick = get("a", "/");

    assertThat(unknown.status()).isEqualTo(404);
    assertThat(unknown.response().getHeader("content-type")).isEqualTo("application/problem+json");
    assertThat(new JsonObject(unknown.text()).getInteger("status")).isEqualTo(404);
    assertThat(sick.status()).isEqualTo(503);
    assertThat(new JsonObject(sick.text()).getString("type")).isEqualTo("/problems/no-endpoint");
    assertThat(metric("orrery_router_refusals_total{reason=\"unknown_host\"}")).isEqualTo(1);
    assertThat(metric("orrery_router_refusals_total{reason=\"no_endpoint\"}")).isEqualTo(1);
  }

  @Test
  void whatBelongsToAConnectionStaysAndTheClientIsMadeKnown() throws Exception {
    CompletableFuture<Map<String, List<String>>> seen = new CompletableFuture<>();
    Upstream upstream =
        opened(
            Upstream.start(
                vertx,
                request -> {
                  Map<String, List<String>> headers = new HashMap<>();
                  request
                      .headers()
                      .names()
                      .forEach(
                          name -> headers.put(name.toLowerCase(), request.headers().getAll(name)));
                  seen.complete(headers);
                  request
                      .response()
                      .putHeader("Keep-Alive", "timeout=1")
                      .putHeader("X-Hop", "secret")
                      .putHeader("Connection", "X-Hop, keep-alive")
                      .end("ok");
                }));
    route("  - {name: a, endpoints: [\"" + upstream.address() + "\"]}\n");

    String head;
    try (RawClient raw = raw()) {
      head =
          raw.write(
                  "GET / HTTP/1.1\r\nHost: A.service.orrery.localhost:1234\r\n"
                      + "Connection: close, X-Own\r\nX-Own: 1\r\nKeep-Alive: 5\r\nTE: trailers, gzip\r\n"
                      + "Proxy-Connection: close\r\nProxy-Authorization: Basic x\r\nUpgrade: foo\r\n"
                      + "X-Forwarded-For: 9.9.9.9\r\nX-Forwarded-Proto: https\r\n"
                      + "Forwarded: for=9.9.9.9\r\nVia: 1.0 other\r\nX-Pass: 1\r\nX-Pass: 2\r\n\r\n")
              .rest();
    }

    Map<String, List<String>> headers = seen.get(5, SECONDS);
    assertThat(headers)
        .doesNotContainKeys(
            "connection",
            "x-own",
            "keep-alive",
            "proxy-connection",
            "proxy-authorization",
            "upgrade")
        .containsEntry("host", List.of("A.service.orrery.localhost:1234"))
        .containsEntry("te", List.of("trailers"))
        .containsEntry("x-pass", List.of("1", "2"))
        .containsEntry("x-forwarded-for", List.of("9.9.9.9, 127.0.0.1"))
        .containsEntry("x-forwarded-proto", List.of(way.scheme()))
        .containsEntry("x-forwarded-host", List.of("A.service.orrery.localhost:1234"))
        .containsEntry(
            "forwarded",
            List.of(
                "for=9.9.9.9, for=127.0.0.1;proto="
                    + way.scheme()
                    + ";host=\"A.service.orrery.localhost:1234\""))
        .containsEntry("via", List.of("1.0 other, 1.1 orrery"));
    assertThat(head.toLowerCase())
        .contains("200 ok")
        .doesNotContain("x-hop")
        .doesNotContain("timeout=1");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 1024, 64 * 1024, 64 * 1024 + 1, 5_000_000})
  void bodiesOfAnySizePassBothWays(int size) throws Exception {
    Upstream upstream =
        opened(
            Upstream.start(
                vertx, request -> request.body().onSuccess(body -> request.response().end(body))));
    route("  - {name: a, endpoints: [\"" + upstream.address() + "\"]}\n");
    byte[] bytes = new byte[size];
    new java.util.Random(size).nextBytes(bytes);

    Answer answer = send(to(HttpMethod.PUT, "a", "/"), Buffer.buffer(bytes));

    assertThat(answer.body().getBytes()).isEqualTo(bytes);
  }

  @Test
  void chunkedBodiesAndTrailersPass() throws Exception {
    Upstream upstream =
        opened(
            Upstream.start(
                vertx,
                request ->
                    request
                        .body()
                        .onSuccess(body ->
                            request
                                .response()
                                .setChunked(true)
                                .putTrailer("X-Sum", "7")
                                .end(body))));
    route("  - {name: a, endpoints: [\"" + upstream.address() + "\"]}\n");

    try (RawClient raw = raw()) {
      raw.write(
          "POST / HTTP/1.1\r\nHost: a.service.orrery.localhost\r\nTransfer-Encoding: chunked\r\n"
              + "Connection: close\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n");
      assertThat(raw.rest()).contains("abcde").containsIgnoringCase("x-sum: 7");
    }
  }

  @Test
  void pipelinedRequestsAreAnsweredInTheirOrder() throws Exception {
    Upstream upstream =
        opened(
            Upstream.start(
                vertx,
                request ->
                    vertx.setTimer(
                        request.path().equals("/0") ? 200 : 1,
                        late -> request.response().end(request.path()))));
    route("  - {name: a, endpoints: [\"" + upstream.address() + "\"]}\n");

    try (RawClient raw = raw()) {
      StringBuilder all = new StringBuilder();
      for (int i = 0; i < 5; i++) {
        all.append("GET /")
            .append(i)
            .append(" HTTP/1.1\r\nHost: a.service.orrery.localhost\r\n\r\n");
      }
      raw.write(all.toString());
      for (int i = 0; i < 5; i++) {
        assertThat(raw.answer()).endsWith("/" + i);
      }
    }
  }

  /** In absolute form, which goes the general way; the connection is paused in between. */
  @Test
  void aThousandPipelinedRequestsAreAnsweredInTheirOrder() throws Exception {
    Upstream upstream =
        opened(Upstream.start(vertx, request -> request.response().end(request.path())));
    route("  - {name: a, endpoints: [\"" + upstream.address() + "\"]}\n");
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < 1_000; i++) {
      all.append("GET http://a.service.orrery.localhost/%d HTTP/1.1\r\n".formatted(i))
          .append("Host: a.service.orrery.localhost\r\n\r\n");
    }

    try (RawClient raw = raw()) {
      raw.write(all.toString());
      for (int i = 0; i < 1_000; i++) {
        assertThat(raw.answer()).endsWith("/" + i);
      }
    }
  }

  @Test
  void anEndpointMayRefuseABodyBeforeItIsSent() throws Exception {
    Upstream upstream =
        opened(
            Upstream.start(
                vertx,
                request -> {
                  if (request.path().equals("/no")) {
                    request.response().setStatusCode(413).putHeader("Connection", "close").end();
                  } else {
                    request.response().writeContinue();
                    request.body().onSuccess(body -> request.response().end("got " + body));
                  }
                }));
    route("  - {name: a, endpoints: [\"" + upstream.address() + "\"]}\n");

    try (RawClient raw = raw()) {
      raw.write(
          "POST /yes HTTP/1.1\r\nHost: a.service.orrery.localhost\r\nContent-Length: 5\r\n"
              + "Expect: 100-continue\r\n\r\n");
      assertThat(raw.head()).startsWith("HTTP/1.1 100");
      assertThat(raw.write("12345").answer()).startsWith("HTTP/1.1 200").endsWith("got 12345");
    }
    try (RawClient raw = raw()) {
      raw.write(
          "POST /no HTTP/1.1\r\nHost: a.service.orrery.localhost\r\nContent-Length: 5\r\n"
              + "Expect: 100-continue\r\n\r\n");
      assertThat(raw.head()).startsWith("HTTP/1.1 413");
    }
  }

  @Test
  void anEventStreamArrivesEventByEvent() throws Exception {
    CompletableFuture<io.vertx.core.http.HttpServerResponse> stream = new CompletableFuture<>();
    Upstream upstream =
        opened(
            Upstream.start(
                vertx,
                request -> {
                  request
                      .response()
                      .setChunked(true)
                      .putHeader("Content-Type", "text/event-stream")
                      .writeHead();
                  stream.complete(request.response());
                }));
    route("  - {name: a, endpoints: [\"" + upstream.address() + "\"]}\n");

    try (RawClient raw = raw()) {
      raw.write("GET / HTTP/1.1\r\nHost: a.service.orrery.localhost\r\n\r\n");
      assertThat(raw.head()).contains("text/event-stream");
      for (int i = 0; i < 3; i++) {
        stream.get(5, SECONDS).write("data: " + i + "\n\n");
        assertThat(raw.some(14)).contains("data: " + i);
      }
    }
  }

  @Test
  void aSlowClientHoldsTheEndpointBackRatherThanFillTheRouter() throws Exception {
    AtomicLong written = new AtomicLong();
    Buffer piece = Buffer.buffer(new byte[64 * 1024]);
    Upstream upstream =
        opened(
            Upstream.start(
                vertx,
                request -> {
                  var response = request.response().setChunked(true);
                  Runnable pump =
                      new Runnable() {
                        @Override
                        public void run() {
                          while (!response.writeQueueFull() && written.get() < (1L << 30)) {
                            written.addAndGet(piece.length());
                            response.write(piece);
                          }
                          response.drainHandler(room -> run());
                        }
                      };
                  pump.run();
                }));
    route("  - {name: a, endpoints: [\"" + upstream.address() + "\"]}\n");

    try (RawClient raw = raw()) {
      raw.write("GET / HTTP/1.1\r\nHost: a.service.orrery.localhost\r\n\r\n");
      raw.head();
      // What stands still is full: the sockets' buffers, and no more than some pieces besides.
      long[] last = {-1};
      await()
          .pollInterval(java.time.Duration.ofMillis(300))
          .atMost(15, SECONDS)
          .until(() -> {
            boolean still = written.get() == last[0];
            last[0] = written.get();
            return still;
          });
      assertThat(written.get()).isLessThan(64L << 20);
    }
  }

  @Test
  void theAbsoluteFormOfAnAddressDecidesTheHost() throws Exception {
    CompletableFuture<String> seen = new CompletableFuture<>();
    Upstream upstream =
        opened(
            Upstream.start(
                vertx,
                request -> {
                  seen.complete(request.getHeader("host") + " " + request.uri());
                  request.response().end();
                }));
    route("  - {name: a, endpoints: [\"" + upstream.address() + "\"]}\n");

    try (RawClient raw = raw()) {
      raw.write("GET http://a.service.orrery.localhost/p?q HTTP/1.1\r\nHost: other\r\n\r\n");
      assertThat(raw.answer()).startsWith("HTTP/1.1 200");
    }
    assertThat(seen.get(5, SECONDS)).isEqualTo("a.service.orrery.localhost /p?q");
  }

  @Test
  void headHasTheLengthAndNoBody() throws Exception {
    Upstream upstream =
        opened(
            Upstream.start(
                vertx, request -> request.response().putHeader("Content-Length", "12345").end()));
    route("  - {name: a, endpoints: [\"" + upstream.address() + "\"]}\n");

    try (RawClient raw = raw()) {
      raw.write(
          "HEAD / HTTP/1.1\r\nHost: a.service.orrery.localhost\r\n\r\n"
              + "HEAD / HTTP/1.1\r\nHost: a.service.orrery.localhost\r\nConnection: close\r\n\r\n");
      assertThat(raw.rest().split("12345", -1)).hasSize(3);
    }
  }
}
