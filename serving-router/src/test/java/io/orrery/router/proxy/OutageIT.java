package io.orrery.router.proxy;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that no endpoint takes, while all of them are gone for a moment. */
class OutageIT extends RouterIT {
  private static String service(List<Upstream> endpoints, String time) {
    return "  - {name: a, endpoints: "
        + endpoints.stream().map(each -> '"' + each.address() + '"').toList()
        + ", retries: {for: "
        + time
        + "}}\n";
  }

  private int inFlight() {
    return router.inbox().current().state("a").inFlight();
  }

  @Test
  void whatNoEndpointTookIsAnsweredByTheFirstThatComesBack() throws Exception {
    Upstream endpoint = opened(Upstream.named(vertx, "a"));
    route(service(List.of(endpoint), "60s"), 2);
    assertThat(get("a", "/").text()).isEqualTo("a");
    endpoint.kill();

    List<Future<Answer>> answers = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      answers.add(ask(client, to(HttpMethod.GET, "a", "/"), null));
      answers.add(ask(client, to(HttpMethod.POST, "a", "/"), Buffer.buffer("small")));
    }
    await().atMost(30, SECONDS).until(() -> inFlight() == answers.size());
    assertThat(answers).noneMatch(Future::isComplete);
    endpoint.restart();

    for (Future<Answer> each : answers) {
      assertThat(each.await(30, SECONDS).text()).isEqualTo("a");
    }
    assertThat(endpoint.requests()).isEqualTo(1 + answers.size());
    await().atMost(30, SECONDS).until(() -> inFlight() == 0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"http1", "h2c"})
  void requestsGoOnToAnEndpointThatIsBackThoughItAnswersSlowly(String protocol) throws Exception {
    Promise<String> answer = Promise.promise();
    Upstream slow =
        opened(
            Upstream.start(vertx, request -> answer.future().onSuccess(request.response()::end)));
    route(service(List.of(slow), "60s").replace("{name", "{protocol: " + protocol + ", name"), 2);
    slow.kill();
    List<Future<Answer>> answers = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      answers.add(ask(client, to(HttpMethod.GET, "a", "/"), null));
      answers.add(ask(client, to(HttpMethod.POST, "a", "/"), Buffer.buffer("small")));
    }
    await().atMost(30, SECONDS).until(() -> inFlight() == answers.size());

    slow.restart();

    await().atMost(30, SECONDS).until(() -> slow.requests() == answers.size());
    answer.complete("late");
    for (Future<Answer> each : answers) {
      assertThat(each.await(30, SECONDS).text()).isEqualTo("late");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"http1", "h2c"})
  void whenTheLastEndpointIsTakenAwayMeanwhileTheHoldHasOneStarted(String protocol)
      throws Exception {
    Upstream gone = opened(Upstream.named(vertx, "gone"));
    Upstream next = opened(Upstream.named(vertx, "next"));
    String protocolAndHold = "{protocol: " + protocol + ", hold: {requests: 2, for: 120s}, name";
    route(service(List.of(gone), "20s").replace("{name", protocolAndHold));
    gone.kill();
    List<Future<Answer>> answers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      answers.add(ask(client, to(HttpMethod.GET, "a", "/"), null));
    }
    await().atMost(15, SECONDS).until(() -> inFlight() == 3);
    assertThat(router.inbox().current().state("a").held()).isZero();

    router.inbox().accept(table(service(List.of(), "20s").replace("{name", protocolAndHold)));
    await().atMost(60, SECONDS).until(() -> answers.stream().anyMatch(Future::isComplete));
    assertThat(router.inbox().current().state("a").held()).isEqualTo(2);
    router.inbox().accept(table(service(List.of(next), "20s").replace("{name", protocolAndHold)));

    List<Integer> statuses = new ArrayList<>();
    for (Future<Answer> each : answers) {
      statuses.add(each.await(60, SECONDS).status());
    }
    assertThat(statuses).containsExactlyInAnyOrder(200, 200, 429);
  }

  @Test
  void whatNoEndpointTookGoesToOneOfTheNextTable() throws Exception {
    Upstream gone = opened(Upstream.named(vertx, "gone"));
    Upstream next = opened(Upstream.named(vertx, "next"));
    route(service(List.of(gone), "60s"));
    gone.kill();
    Future<Answer> posted = ask(client, to(HttpMethod.POST, "a", "/"), Buffer.buffer("small"));
    await().atMost(30, SECONDS).until(() -> inFlight() == 1);

    router.inbox().accept(table("  - {name: a, retries: {for: 20s}}\n"));
    Future<Answer> got = ask(client, to(HttpMethod.GET, "a", "/"), null);
    await().atMost(30, SECONDS).until(() -> inFlight() == 2);
    router.inbox().accept(table(service(List.of(next), "60s")));

    assertThat(posted.await(30, SECONDS).text()).isEqualTo("next");
    assertThat(got.await(30, SECONDS).text()).isEqualTo("next");
  }

  @Test
  void inALongOutageRequestsAreRefusedAtOnceUntilOneIsAnswered() throws Exception {
    Upstream endpoint = opened(Upstream.named(vertx, "a"));
    route(service(List.of(endpoint), "2s"));
    endpoint.kill();
    long before = System.nanoTime();
    assertThat(get("a", "/").status()).isEqualTo(503);
    long waited = System.nanoTime() - before;

    before = System.nanoTime();
    assertThat(get("a", "/").status()).isEqualTo(503);

    assertThat(waited).isGreaterThan(Duration.ofSeconds(2).toNanos());
    assertThat(System.nanoTime() - before).isLessThan(Duration.ofSeconds(1).toNanos());
    endpoint.restart();
    assertThat(get("a", "/").text()).isEqualTo("a");
  }

  @Test
  void whatAnEndpointBreaksIsSentNoMoreOftenThanWithoutWaiting() throws Exception {
    Upstream bad = opened(Upstream.start(vertx, request -> request.connection().close()));
    route(service(List.of(bad), "60s"));

    assertThat(get("a", "/").status()).isEqualTo(502);
    assertThat(bad.requests()).isEqualTo(3);
    assertThat(send(to(HttpMethod.POST, "a", "/"), Buffer.buffer("once")).status()).isEqualTo(502);
    assertThat(bad.requests()).isEqualTo(4);
  }
}
