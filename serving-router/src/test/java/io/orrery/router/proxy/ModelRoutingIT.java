package io.orrery.router.proxy;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A test of what inference asks of a router: costs of requests, affinity in bounds, priorities. */
@AlsoOverTls
class ModelRoutingIT extends RouterIT {
  /** Requests with {@code x-wait} are answered when this is completed. */
  private final Promise<Void> answer = Promise.promise();

  /** The number of requests that each endpoint has, by its name. */
  private final ConcurrentHashMap<String, AtomicInteger> waiting = new ConcurrentHashMap<>();

  private Upstream endpoint(String name) throws Exception {
    return opened(
        Upstream.start(
            vertx,
            request -> {
              if (request.getHeader("x-wait") == null) {
                request.response().end(name);
                return;
              }
              waiting.computeIfAbsent(name, key -> new AtomicInteger()).incrementAndGet();
              answer.future().onSuccess(now -> request.response().end(name));
            }));
  }

  private RequestOptions request(String... fields) {
    RequestOptions options = to(HttpMethod.GET, "a", "/v1/chat/7/next");
    for (int i = 0; i < fields.length; i += 2) {
      options.putHeader(fields[i], fields[i + 1]);
    }
    return options;
  }

  private Future<Answer> begin(String... fields) {
    return ask(client, request(fields).putHeader("x-wait", "1"), null);
  }

  private int underWay() {
    return waiting.values().stream().mapToInt(AtomicInteger::get).sum();
  }

  @Test
  void requestsGoWhereThoseUnderWayCostLess() throws Exception {
    Upstream one = endpoint("one");
    Upstream two = endpoint("two");
    route(
        "  - {name: a, balance: {leastCost: 'header:x-tokens'}, endpoints: [\"%s\", \"%s\"]}\n"
            .formatted(one.address(), two.address()));

    Future<Answer> long_ = begin("X-Tokens", "4000");
    await().atMost(20, SECONDS).until(() -> underWay() == 1);
    String busy = waiting.keySet().iterator().next();
    List<Future<Answer>> small = new ArrayList<>();
    for (int i = 1; i <= 20; i++) {
      small.add(begin("X-Tokens", "100"));
      int all = i + 1;
      await().atMost(20, SECONDS).until(() -> underWay() == all);
    }

    assertThat(waiting.get(busy)).hasValue(1);
    answer.complete();
    assertThat(long_.await(20, SECONDS).text()).isEqualTo(busy);
    for (Future<Answer> each : small) {
      assertThat(each.await(20, SECONDS).text()).isNotEqualTo(busy);
    }
    // What is over costs no more.
    await().atMost(20, SECONDS).until(() -> router.inbox().current().state("a").inFlight() == 0);
    Set<String> asked = new HashSet<>();
    await()
        .atMost(20, SECONDS)
        .until(() -> {
          asked.add(send(request("X-Tokens", "9"), null).text());
          return asked.size() == 2;
        });
    assertThat(router.inbox().current().state("a").endpoints())
        .allSatisfy(each -> assertThat(each.cost()).isZero());
  }

  @Test
  void aKeyStaysWithItsEndpointUntilThatHasMoreThanItsBound() throws Exception {
    Upstream one = endpoint("one");
    Upstream two = endpoint("two");
    route(
        "  - {name: a, balance: {hash: 'path:3', maxLoad: 150%%}, endpoints: [\"%s\", \"%s\"]}\n"
            .formatted(one.address(), two.address()));

    String own = send(request(), null).text();
    for (int i = 0; i < 5; i++) {
      assertThat(send(request(), null).text()).isEqualTo(own);
      assertThat(send(to(HttpMethod.POST, "a", "/v1/chat/7?x=" + i), Buffer.buffer("small")).text())
          .isEqualTo(own);
    }
    List<Future<Answer>> answers = new ArrayList<>();
    for (int i = 1; i <= 20; i++) {
      answers.add(begin());
      int all = i;
      await().atMost(20, SECONDS).until(() -> underWay() == all);
    }

    assertThat(waiting.get(own).get()).isEqualTo(15);
    answer.complete();
    for (Future<Answer> each : answers) {
      assertThat(each.await(20, SECONDS).status()).isEqualTo(200);
    }
    await().atMost(20, SECONDS).until(() -> router.inbox().current().state("a").inFlight() == 0);
    assertThat(send(request(), null).text()).isEqualTo(own);
  }

  /** So that the endpoint which has the beginning of a prompt in its cache gets it again. */
  @Test
  void aBodyThatBeginsAlikeGoesToTheSameEndpoint() throws Exception {
    Upstream one = endpoint("one");
    Upstream two = endpoint("two");
    route(
        "  - {name: a, balance: {hash: 'body:40'}, endpoints: [\"%s\", \"%s\"]}\n"
            .formatted(one.address(), two.address()));

    Set<String> asked = new HashSet<>();
    for (int prompt = 0; prompt < 24; prompt++) {
      String beginning = "prompt %33d".formatted(prompt);
      String own = text(beginning);
      asked.add(own);
      for (int i = 0; i < 3; i++) {
        assertThat(text(beginning + "next " + i)).isEqualTo(own);
        assertThat(text(beginning + "x".repeat(60_000 - i))).isEqualTo(own);
      }
    }
    assertThat(asked).containsExactlyInAnyOrder("one", "two");
    assertThat(text("")).as("without a body chance decides").isIn("one", "two");
    assertThat(text("y".repeat(100_000))).as("so it does with a long one").isIn("one", "two");
  }

  private String text(String body) throws Exception {
    return send(to(HttpMethod.POST, "a", "/v1/completions"), Buffer.buffer(body)).text();
  }

  @Test
  void aKeyHasARateOfItsOwnWhereverItsClientIs() throws Exception {
    Upstream one = endpoint("one");
    route(
        "  - {name: a, endpoints: [\"%s\"], limits: {rate: 2/hour, rateBy: 'header:x-api-key'}}\n"
            .formatted(one.address()));

    for (String key : List.of("k1", "k2", "x".repeat(4_000))) {
      for (int i = 0; i < 2; i++) {
        assertThat(send(request("X-Api-Key", key), null).status()).isEqualTo(200);
      }
      Answer over = send(request("X-Api-Key", key), null);
      assertThat(over.status()).isEqualTo(429);
      assertThat(over.text()).contains("One key may make 2 requests in 3600 s").doesNotContain(key);
    }
    assertThat(send(request(), null).status()).as("no key: its client").isEqualTo(200);
    assertThat(send(request(), null).status()).isEqualTo(200);
    assertThat(send(request(), null).status()).isEqualTo(429);
  }

  @Test
  void theLowerClassesAreShedFirst() throws Exception {
    Upstream one = endpoint("one");
    route(
        "  - {name: a, endpoints: ["
            + '"'
            + one.address()
            + "\"], limits: {requests: 4, priority: {header: X-Class,"
            + " classes: {batch: 50%, urgent: 100%}, other: 75%}}}\n");

    List<Future<Answer>> answers = new ArrayList<>();
    for (String name : List.of("batch", "batch", "normal", "urgent")) {
      answers.add(begin("X-Class", name));
      int all = answers.size();
      await().atMost(20, SECONDS).until(() -> underWay() == all);
      Answer shed = send(request("X-Class", "batch"), null);
      assertThat(shed.status()).isEqualTo(all < 2 ? 200 : 503);
      assertThat(send(request(), null).status()).isEqualTo(all < 3 ? 200 : 503);
      assertThat(send(request("X-Class", "urgent"), null).status()).isEqualTo(all < 4 ? 200 : 503);
      if (all >= 2) {
        assertThat(shed.text()).contains("/problems/overloaded", "up to 2 at once");
        assertThat(shed.response().getHeader("Retry-After")).isEqualTo("1");
      }
    }

    assertThat(metric("orrery_router_refusals_total{reason=\"shed\"}")).isEqualTo(5);
    assertThat(metric("orrery_router_refusals_total{reason=\"over_requests\"}")).isEqualTo(1);
    answer.complete();
    for (Future<Answer> each : answers) {
      assertThat(each.await(20, SECONDS).text()).isEqualTo("one");
    }
    await().atMost(20, SECONDS).until(() -> router.inbox().current().state("a").inFlight() == 0);
    assertThat(send(request("X-Class", "batch"), null).status()).isEqualTo(200);
  }
}
