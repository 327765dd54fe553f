package io.orrery.router.proxy;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

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
    route(service(List.of(endpoint), "20s"), 2);
    assertThat(get("a", "/").text()).isEqualTo("a");
    endpoint.kill();

    List<Future<Answer>> answers = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      answers.add(ask(client, to(HttpMethod.GET, "a", "/"), null));
      answers.add(ask(client, to(HttpMethod.POST, "a", "/"), Buffer.buffer("small")));
    }
    await().atMost(10, SECONDS).until(() -> inFlight() == answers.size());
    assertThat(answers).noneMatch(Future::isComplete);
    endpoint.restart();

    for (Future<Answer> each : answers) {
      assertThat(each.await(10, SECONDS).text()).isEqualTo("a");
    }
    assertThat(endpoint.requests()).isEqualTo(1 + answers.size());
    await().atMost(10, SECONDS).until(() -> inFlight() == 0);
  }

  @Test
  void whatNoEndpointTookGoesToOneOfTheNextTable() throws Exception {
    Upstream gone = opened(Upstream.named(vertx, "gone"));
    Upstream next = opened(Upstream.named(vertx, "next"));
    route(service(List.of(gone), "20s"));
    gone.kill();
    Future<Answer> posted = ask(client, to(HttpMethod.POST, "a", "/"), Buffer.buffer("small"));
    await().atMost(10, SECONDS).until(() -> inFlight() == 1);

    router.inbox().accept(table("  - {name: a, retries: {for: 20s}}\n"));
    Future<Answer> got = ask(client, to(HttpMethod.GET, "a", "/"), null);
    await().atMost(10, SECONDS).until(() -> inFlight() == 2);
    router.inbox().accept(table(service(List.of(next), "20s")));

    assertThat(posted.await(10, SECONDS).text()).isEqualTo("next");
    assertThat(got.await(10, SECONDS).text()).isEqualTo("next");
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
    route(service(List.of(bad), "20s"));

    assertThat(get("a", "/").status()).isEqualTo(502);
    assertThat(bad.requests()).isEqualTo(3);
    assertThat(send(to(HttpMethod.POST, "a", "/"), Buffer.buffer("once")).status()).isEqualTo(502);
    assertThat(bad.requests()).isEqualTo(4);
  }
}
