package io.orrery.router.proxy;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orrery.router.health.EndpointState;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Endpoints that fail, and tables that change, while requests go on. */
@AlsoOverTls
class HealingIT extends RouterIT {
  @Test
  void anIdempotentRequestThatBrokeIsSentToAnotherEndpoint() throws Exception {
    Upstream bad = opened(Upstream.start(vertx, request -> request.connection().close()));
    Upstream good = opened(Upstream.named(vertx, "good"));
    route(pair(bad, good, "balance: round-robin"));

    for (int i = 0; i < 10; i++) {
      assertThat(get("a", "/").text()).isEqualTo("good");
    }
    assertThat(bad.requests()).isPositive();
    assertThat(metric("orrery_router_retries_total")).isEqualTo(bad.requests());
  }

  @Test
  void aRequestThatIsNotIsSentOnce() throws Exception {
    Upstream bad = opened(Upstream.start(vertx, request -> request.connection().close()));
    route("  - {name: a, endpoints: [\"" + bad.address() + "\"]}\n");

    Answer answer = send(to(HttpMethod.POST, "a", "/"), Buffer.buffer("once"));

    assertThat(answer.status()).isEqualTo(502);
    assertThat(bad.requests()).isEqualTo(1);
  }

  @Test
  void whatWasNeverSentIsSentElsewhereWhateverItsMethod() throws Exception {
    Upstream dead = Upstream.named(vertx, "dead");
    dead.kill();
    Upstream good = opened(Upstream.named(vertx, "good"));
    route(pair(dead, good, "balance: round-robin"));

    for (int i = 0; i < 6; i++) {
      assertThat(send(to(HttpMethod.POST, "a", "/"), Buffer.buffer(new byte[100_000])).text())
          .isEqualTo("good");
    }
  }

  @Test
  void anEndpointThatKeepsFailingIsLeftOutAndComesBack() throws Exception {
    AtomicBoolean sick = new AtomicBoolean(true);
    Upstream shaky =
        opened(
            Upstream.start(
                vertx,
                request -> request.response().setStatusCode(sick.get() ? 500 : 200).end("shaky")));
    Upstream good = opened(Upstream.named(vertx, "good"));
    route(pair(shaky, good, "balance: round-robin, ejection: {consecutive: 3, for: 500ms}"));
    EndpointState endpoint = router.inbox().current().states().getFirst().endpoints().getFirst();

    for (int i = 0; i < 6; i++) {
      get("a", "/");
    }
    assertThat(endpoint.ejected()).isTrue();
    int before = shaky.requests();
    for (int i = 0; i < 20; i++) {
      get("a", "/");
    }
    assertThat(shaky.requests()).isEqualTo(before);

    sick.set(false);
    await().atMost(5, SECONDS).until(() -> get("a", "/").text().equals("shaky"));
    assertThat(endpoint.ejections()).isEqualTo(1);
  }

  @Test
  void aConnectionThatBreaksIsOneFault() throws Exception {
    RawEndpoint bad = opened(new RawEndpoint(head -> "^"));

    faultsOf(bad, "");
  }

  @Test
  void anAnswerThatIsAFaultAndBreaksIsOneFault() throws Exception {
    RawEndpoint bad =
        opened(
            new RawEndpoint(
                head -> "HTTP/1.1 500 Sick\r\nContent-Length: 100000\r\n\r\nnot all of it^"));

    faultsOf(bad, "HTTP/1.1 500");
  }

  /** Two would be too much, and only the second request is one too many. */
  private void faultsOf(RawEndpoint bad, String answer) throws Exception {
    Upstream good = opened(Upstream.named(vertx, "good"));
    route(
        "  - {name: a, endpoints: [\""
            + bad.address()
            + "\", \""
            + good.address()
            + "\"], balance: round-robin, retries: {attempts: 0}, ejection: {consecutive: 2}}\n");
    EndpointState endpoint = router.inbox().current().states().getFirst().endpoints().getFirst();

    for (int faults = 1; faults <= 2; faults++) {
      while (bad.connections() < faults) {
        try (RawClient raw = raw()) {
          raw.write(
              "GET / HTTP/1.1\r\nHost: a.service.orrery.localhost\r\nConnection: close\r\n\r\n");
          assertThat(raw.rest())
              .satisfiesAnyOf(
                  text -> assertThat(text).endsWith("good"),
                  text -> assertThat(text).startsWith(answer.isEmpty() ? "HTTP/1.1 502" : answer));
        }
      }
      assertThat(endpoint.ejected()).isEqualTo(faults == 2);
    }
  }

  @Test
  void clientsThatDoNotReadPutNoEndpointAside() throws Exception {
    List<RawClient> clients = clientsOfLargeAnswers("500ms");

    await()
        .atMost(20, SECONDS)
        .until(() -> metric("orrery_router_refusals_total{reason=\"timeout\"}") == clients.size());
    assertThat(router.inbox().current().states().getFirst().endpoints())
        .noneMatch(EndpointState::ejected);
  }

  @Test
  void clientsThatLeavePutNoEndpointAside() throws Exception {
    List<RawClient> clients = clientsOfLargeAnswers("60s");
    for (RawClient client : clients) {
      client.close();
    }

    await()
        .atMost(20, SECONDS)
        .until(() -> metric("orrery_router_abandoned_total") == clients.size());
    assertThat(metric("orrery_router_refusals_total")).isZero();
    assertThat(router.inbox().current().states().getFirst().endpoints())
        .noneMatch(EndpointState::ejected);
  }

  /**
   * Four to each of two endpoints, and a second fault in a row would be too much; none reads on.
   */
  private List<RawClient> clientsOfLargeAnswers(String idle) throws Exception {
    Buffer large = Buffer.buffer(new byte[32 << 20]);
    Upstream one = opened(Upstream.start(vertx, request -> request.response().end(large)));
    Upstream other = opened(Upstream.start(vertx, request -> request.response().end(large)));
    String more = "balance: round-robin, ejection: {consecutive: 2}, timeout: {idle: " + idle + "}";
    route(pair(one, other, more));
    List<RawClient> clients = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      RawClient client = opened(raw());
      client.write("GET / HTTP/1.1\r\nHost: a.service.orrery.localhost\r\n\r\n");
      assertThat(client.head()).startsWith("HTTP/1.1 200");
      clients.add(client);
    }
    return clients;
  }

  /** Who waits for a connection, and may ask only once, must not get one that is about to close. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok^",
        "HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n^",
        "HTTP/1.1 200 OK\r\n\r\nok^",
        "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n^"
      })
  void aConnectionThatItsEndpointEndsIsNotUsedAgain(String answer) throws Exception {
    RawEndpoint endpoint = opened(new RawEndpoint(head -> answer));
    route(
        "  - {name: a, endpoints: [\""
            + endpoint.address()
            + "\"], retries: {attempts: 0}, limits: {connections: 1}}\n");
    List<Future<Answer>> all = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      all.add(ask(client, to(HttpMethod.DELETE, "a", "/" + i), null));
    }

    for (Future<Answer> each : all) {
      assertThat(each.await(20, SECONDS).status()).isIn(200, 204);
    }
    assertThat(endpoint.connections()).isEqualTo(20);
  }

  @Test
  void theOnlyEndpointIsNeverLeftOut() throws Exception {
    Upstream shaky =
        opened(Upstream.start(vertx, request -> request.response().setStatusCode(500).end("sick")));
    route("  - {name: a, endpoints: [\"" + shaky.address() + "\"]}\n");

    for (int i = 0; i < 20; i++) {
      assertThat(get("a", "/").text()).isEqualTo("sick");
    }
  }

  @Test
  void anEndpointThatFailsItsHealthChecksGetsNothingUntilItIsWell() throws Exception {
    AtomicBoolean well = new AtomicBoolean(true);
    Upstream checked =
        opened(
            Upstream.start(
                vertx,
                request ->
                    request
                        .response()
                        .setStatusCode(request.path().equals("/healthz") && !well.get() ? 503 : 200)
                        .end("checked")));
    route(
        "  - {name: a, endpoints: [\""
            + checked.address()
            + "\"], health: {path: /healthz, interval: 100ms, timeout: 1s, unhealthy: 2}}\n");
    assertThat(get("a", "/").text()).isEqualTo("checked");

    well.set(false);
    await().atMost(5, SECONDS).until(() -> get("a", "/").status() == 503);
    well.set(true);
    await().atMost(5, SECONDS).until(() -> get("a", "/").status() == 200);
  }

  @Test
  void twoHundredTablesUnderLoadLoseNothing() throws Exception {
    Upstream a = opened(Upstream.named(vertx, "v"));
    Upstream b = opened(Upstream.named(vertx, "v"));
    route(pair(a, b, "balance: round-robin"));
    Load load = new Load(16, HttpMethod.GET);

    for (int i = 0; i < 200; i++) {
      Upstream only = i % 2 == 0 ? a : b;
      router
          .inbox()
          .accept(
              table(
                  i % 3 == 0
                      ? pair(a, b, "balance: round-robin")
                      : "  - {name: a, endpoints: [\"" + only.address() + "\"]}\n"));
      int so = load.answers.get();
      await()
          .pollInterval(java.time.Duration.ofMillis(1))
          .until(() -> load.answers.get() > so + 10);
    }

    assertThat(load.end()).isEmpty();
    assertThat(load.answers.get()).isGreaterThan(2_000);
  }

  @Test
  void anEndpointKilledAndRestartedUnderLoadLosesNoIdempotentRequest() throws Exception {
    Upstream a = opened(Upstream.named(vertx, "v"));
    Upstream b = opened(Upstream.named(vertx, "v"));
    route(pair(a, b, "ejection: {for: 200ms}"));
    Load load = new Load(16, HttpMethod.GET);

    for (int i = 0; i < 5; i++) {
      load.more(200);
      b.kill();
      load.more(200);
      b.restart();
    }

    assertThat(load.end())
        .as(
            "%s retries withheld, %s made, %s requests",
            metric("orrery_router_retries_withheld_total"),
            metric("orrery_router_retries_total"),
            load.answers)
        .isEmpty();
    assertThat(b.requests()).isPositive();
  }

  @Test
  void allEndpointsReplacedOneByOneUnderLoadLoseNothing() throws Exception {
    List<Upstream> serving = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      serving.add(Upstream.named(vertx, "v1"));
    }
    route(all(serving));
    Load reads = new Load(8, HttpMethod.GET);
    Load writes = new Load(8, HttpMethod.POST);
    reads.more(100);

    for (int i = 0; i < 3; i++) {
      EndpointState leaving = router.inbox().current().states().getFirst().endpoints().getFirst();
      Upstream old = serving.removeFirst();
      serving.add(opened(Upstream.named(vertx, "v2")));
      router.inbox().accept(table(all(serving)));
      // As a deployment must do: the old endpoint ends when it gets no more requests, and not
      // before.
      writes.more(50);
      await().atMost(10, SECONDS).until(() -> leaving.outstanding() == 0);
      old.kill();
      writes.more(100);
    }

    assertThat(reads.end()).isEmpty();
    assertThat(writes.end()).isEmpty();
    assertThat(get("a", "/").text()).isEqualTo("v2");
  }

  private static String all(List<Upstream> endpoints) {
    return "  - {name: a, endpoints: ["
        + endpoints.stream().map(one -> '"' + one.address() + '"').collect(Collectors.joining(", "))
        + "]}\n";
  }

  private static String pair(Upstream one, Upstream two, String more) {
    return "  - {name: a, endpoints: [\""
        + one.address()
        + "\", \""
        + two.address()
        + "\"], "
        + more
        + "}\n";
  }

  /** Clients that ask again as soon as they have been answered. */
  private final class Load {
    private final HttpMethod method;
    private final AtomicInteger answers = new AtomicInteger();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final List<Future<Void>> clients;
    private volatile boolean on = true;

    Load(int clients, HttpMethod method) {
      this.method = method;
      this.clients = java.util.stream.IntStream.range(0, clients).mapToObj(i -> loop()).toList();
    }

    private Future<Void> loop() {
      return ask(client, to(method, "a", "/"), null)
          .transform((answer, failure) -> {
            if (failure != null || answer.status() != 200) {
              failures.add(failure == null ? answer.status() + answer.text() : failure.toString());
            }
            answers.incrementAndGet();
            return on ? loop() : Future.succeededFuture();
          });
    }

    void more(int count) {
      int so = answers.get();
      await().pollInterval(java.time.Duration.ofMillis(2)).until(() -> answers.get() > so + count);
    }

    Queue<String> end() throws Exception {
      on = false;
      Future.join(clients).await(20, SECONDS);
      return failures;
    }
  }
}
