package io.orrery.router.proxy;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Requests that wait while their service has no endpoint. */
@AlsoOverTls
class HoldIT extends RouterIT {
  private static final String HEAD = "GET / HTTP/1.1\r\nHost: a.service." + DOMAIN + "\r\n\r\n";

  private int held() {
    return router.inbox().current().state("a").held();
  }

  private void held(int many) {
    await().atMost(10, SECONDS).until(() -> held() == many);
  }

  private RawClient asks() throws Exception {
    return opened(raw()).write(HEAD);
  }

  @Test
  void requestsWaitForAnEndpointAndAreAnsweredByIt() throws Exception {
    Upstream fresh =
        opened(Upstream.start(vertx, request -> request.body().onSuccess(request.response()::end)));
    route("  - {name: a, hold: {requests: 3}}\n", 2);
    List<Future<Answer>> answers = new ArrayList<>();
    answers.add(ask(client, to(HttpMethod.GET, "a", "/"), null));
    answers.add(ask(client, to(HttpMethod.POST, "a", "/"), Buffer.buffer("small")));
    answers.add(ask(client, to(HttpMethod.POST, "a", "/"), Buffer.buffer(new byte[200_000])));
    held(3);
    assertThat(fresh.requests()).isZero();

    router
        .inbox()
        .accept(
            table(
                "  - {name: a, hold: {requests: 3}, endpoints: [\"" + fresh.address() + "\"]}\n"));

    assertThat(answers.get(0).await(10, SECONDS).body().length()).isZero();
    assertThat(answers.get(1).await(10, SECONDS).text()).isEqualTo("small");
    assertThat(answers.get(2).await(10, SECONDS).body().length()).isEqualTo(200_000);
    held(0);
  }

  @Test
  void oneMoreThanMayWaitIsTurnedAwayAndToldWhenToComeAgain() throws Exception {
    route("  - {name: a, hold: {requests: 2}}\n");
    RawClient first = asks();
    asks();
    held(2);

    Answer third = get("a", "/");

    assertThat(third.status()).isEqualTo(429);
    assertThat(third.response().getHeader("Retry-After")).isNotNull();
    assertThat(third.response().getHeader("Content-Type")).isEqualTo("application/problem+json");
    assertThat(metric("orrery_router_refusals_total{reason=\"over_held\"}")).isEqualTo(1);
    first.close();
    held(1);
  }

  @Test
  void whenItsTimeIsOverARequestIsRefused() throws Exception {
    route("  - {name: a, hold: {requests: 2, for: 100ms}}\n");

    Answer answer = get("a", "/");

    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.text()).contains("no-endpoint");
    held(0);
    assertThat(router.inbox().current().state("a").inFlight()).isZero();
  }

  @Test
  void aClientThatGoesAwayFreesItsPlaceWhetherOrNotItSentABody() throws Exception {
    route("  - {name: a, hold: {requests: 3}}\n");
    List<RawClient> clients = new ArrayList<>();
    clients.add(asks());
    clients.add(
        raw()
            .write(
                "POST / HTTP/1.1\r\nHost: a.service."
                    + DOMAIN
                    + "\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n"));
    clients.add(
        raw()
            .write(
                "POST / HTTP/1.1\r\nHost: a.service."
                    + DOMAIN
                    + "\r\nContent-Length: 4\r\n\r\nbody"));
    held(3);

    for (RawClient each : clients) {
      each.close();
    }

    held(0);
    assertThat(router.inbox().current().state("a").inFlight()).isZero();
  }

  @Test
  void requestsWaitWhileNoEndpointIsWell() throws Exception {
    Upstream endpoint = opened(Upstream.named(vertx, "a"));
    String services =
        "  - {name: a, hold: {}, endpoints: [\""
            + endpoint.address()
            + "\"], retries: {attempts: 0}, health: {interval: 50ms, unhealthy: 1, healthy: 1}}\n";
    route(services);
    endpoint.kill();
    await()
        .atMost(10, SECONDS)
        .until(() -> !router.inbox().current().state("a").endpoints().getFirst().available());
    Future<Answer> answer = ask(client, to(HttpMethod.GET, "a", "/"), null);
    held(1);

    endpoint.restart();

    assertThat(answer.await(10, SECONDS).text()).isEqualTo("a");
  }

  @Test
  void withoutHoldARequestIsRefusedAtOnce() throws Exception {
    route("  - {name: a}\n");

    assertThat(get("a", "/").status()).isEqualTo(503);
    assertThat(held()).isZero();
  }
}
