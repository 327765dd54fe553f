package io.orrery.router.proxy;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests requests of which one side is late or gone, or of which there are too many. */
@AlsoOverTls
class ForwardLimitsIT extends RouterIT {
  @Test
  void aClientThatGoesAwayFreesItsEndpoint() throws Exception {
    CompletableFuture<Void> gone = new CompletableFuture<>();
    Upstream upstream =
        opened(
            Upstream.start(
                vertx, request -> request.response().closeHandler(closed -> gone.complete(null))));
    route("  - {name: a, endpoints: [\"" + upstream.address() + "\"]}\n");

    try (RawClient raw = raw()) {
      raw.write("GET / HTTP/1.1\r\nHost: a.service.orrery.localhost\r\n\r\n");
      await().atMost(5, SECONDS).until(() -> upstream.requests() == 1);
    }

    gone.get(5, SECONDS);
    await()
        .atMost(5, SECONDS)
        .until(() -> router.inbox().current().states().getFirst().inFlight() == 0);
    assertThat(metric("orrery_router_abandoned_total")).isEqualTo(1);
  }

  @Test
  void anAnswerThatDoesNotBeginInTimeIsGivenUp() throws Exception {
    Upstream upstream = opened(Upstream.start(vertx, request -> {}));
    route(
        "  - {name: a, endpoints: [\""
            + upstream.address()
            + "\"], timeout: {firstByte: 100ms}}\n");

    Answer answer = get("a", "/");

    assertThat(answer.status()).isEqualTo(504);
    assertThat(answer.text()).contains("100 ms");
  }

  @Test
  void anAnswerThatStandsStillIsCutOff() throws Exception {
    Upstream upstream =
        opened(
            Upstream.start(
                vertx,
                request ->
                    request.response().putHeader(HttpHeaders.CONTENT_LENGTH, "100000").write("x")));
    route("  - {name: a, endpoints: [\"" + upstream.address() + "\"], timeout: {idle: 100ms}}\n");

    try (RawClient raw = raw()) {
      raw.write("GET / HTTP/1.1\r\nHost: a.service.orrery.localhost\r\n\r\n");
      assertThat(raw.rest()).startsWith("HTTP/1.1 200").endsWith("x");
    }
  }

  @Test
  void moreRequestsThanAServiceMayHaveAreTurnedAway() throws Exception {
    List<Runnable> waiting = new ArrayList<>();
    Upstream upstream =
        opened(
            Upstream.start(
                vertx,
                request -> {
                  synchronized (waiting) {
                    waiting.add(() -> request.response().end("ok"));
                  }
                }));
    route(
        "  - {name: a, endpoints: [\""
            + upstream.address()
            + "\"], limits: {connections: 1, pending: 1, requests: 3}}\n");

    List<Future<Answer>> answers = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      answers.add(ask(client, to(HttpMethod.GET, "a", "/"), null));
    }
    await()
        .atMost(5, SECONDS)
        .until(() -> answers.stream().filter(Future::isComplete).count() == 4);
    assertThat(answers.stream().filter(Future::isComplete).map(f -> f.result().status()))
        .containsOnly(503);
    await()
        .atMost(10, SECONDS)
        .until(() -> {
          synchronized (waiting) {
            waiting.forEach(Runnable::run);
            waiting.clear();
          }
          return answers.stream().allMatch(Future::isComplete);
        });
    assertThat(answers.stream().filter(f -> f.result().status() == 200)).hasSize(2);
    assertThat(metric("orrery_router_refusals_total{reason=\"over_")).isEqualTo(4);
  }

  @Test
  void whoWaitsForAConnectionThatBreaksIsServedByANewOne() throws Exception {
    CompletableFuture<Void> others = new CompletableFuture<>();
    AtomicInteger asked = new AtomicInteger();
    RawEndpoint endpoint =
        opened(
            new RawEndpoint(head -> {
              if (asked.incrementAndGet() > 1) {
                return "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
              }
              others.join();
              return "^";
            }));
    route(
        "  - {name: a, endpoints: [\""
            + endpoint.address()
            + "\"], limits: {connections: 1, pending: 1}}\n");

    Future<Answer> first = ask(client, to(HttpMethod.POST, "a", "/"), null);
    await().atMost(5, SECONDS).until(() -> asked.get() == 1);
    Future<Answer> second = ask(client, to(HttpMethod.POST, "a", "/"), null);
    Future<Answer> third = ask(client, to(HttpMethod.POST, "a", "/"), null);
    await().atMost(5, SECONDS).until(() -> second.isComplete() || third.isComplete());
    Future<Answer> waiting = second.isComplete() ? third : second;
    others.complete(null);

    assertThat(first.await(5, SECONDS).status()).isEqualTo(502);
    assertThat(waiting.await(5, SECONDS).body()).hasToString("ok");
  }

  @Test
  void servicesOfOneServerShareConnectionsToIt() throws Exception {
    assumeTrue(fastPath, "over the API each service has its own");
    RawEndpoint endpoint =
        opened(new RawEndpoint(head -> "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"));
    StringBuilder table = new StringBuilder();
    for (int i = 0; i < 20; i++) {
      table.append("  - {name: a%d, endpoints: [\"%s\"]}\n".formatted(i, endpoint.address()));
    }
    route(table.toString());

    for (int i = 0; i < 20; i++) {
      assertThat(get("a" + i, "/").status()).isEqualTo(200);
    }

    assertThat(endpoint.connections()).isEqualTo(1);
  }

  @Test
  void aClientOverItsRateIsToldWhenToComeBack() throws Exception {
    Upstream upstream = opened(Upstream.named(vertx, "a"));
    route("  - {name: a, endpoints: [\"" + upstream.address() + "\"], limits: {rate: 2/hour}}\n");

    assertThat(get("a", "/").status()).isEqualTo(200);
    assertThat(get("a", "/").status()).isEqualTo(200);
    Answer third = get("a", "/");

    assertThat(third.status()).isEqualTo(429);
    assertThat(Integer.parseInt(third.response().getHeader("retry-after"))).isBetween(1700, 1801);
  }
}
