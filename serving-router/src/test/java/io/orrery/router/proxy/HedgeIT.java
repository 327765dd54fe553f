package io.orrery.router.proxy;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.handler.codec.http2.Http2Error;
import io.orrery.router.health.EndpointState;
import io.orrery.router.health.ServiceState;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A test of requests that are sent to a second endpoint when the first one is slow. */
@AlsoOverTls
class HedgeIT extends RouterIT {
  private HeldEndpoint first;
  private HeldEndpoint second;

  /**
   * Routes to two endpoints in turn, so that the first one of the list is asked first each time.
   *
   * @param more keys of the service, each with a comma before it
   */
  private void hedged(String more) throws Exception {
    first = opened(new HeldEndpoint(vertx, "first"));
    second = opened(new HeldEndpoint(vertx, "second"));
    route(
        "  - {name: a, endpoints: [\""
            + first.address()
            + "\", \""
            + second.address()
            + "\"], balance: round-robin"
            + (more.contains("hedge:") ? "" : ", hedge: {after: 20ms, budget: 100%}")
            + (more.contains("ejection:") ? "" : ", ejection: {consecutive: 1, atMost: 100%}")
            + more
            + "}\n");
  }

  private Future<Answer> begin() {
    return ask(client, to(HttpMethod.GET, "a", "/x"), null);
  }

  private static Answer whole(Future<Answer> answer) throws Exception {
    return answer.await(20, SECONDS);
  }

  private ServiceState service() {
    return router.inbox().current().state("a");
  }

  /** Waits until nothing is under way, and finds that no endpoint is left out. */
  private void endsWithoutBlame() {
    await().atMost(20, SECONDS).until(() -> service().inFlight() == 0);
    await()
        .atMost(20, SECONDS)
        .until(() -> service().endpoints().stream().allMatch(each -> each.outstanding() == 0));
    assertThat(service().endpoints()).noneMatch(EndpointState::ejected);
  }

  private double hedges(String name) {
    return metric("orrery_router_hedges_" + name + "{version=\"a\"");
  }

  @Test
  void theAnswerOfTheSecondEndpointIsTakenAndTheSlowOneIsCancelled() throws Exception {
    hedged("");
    second.atOnce(200);

    for (int i = 1; i <= 5; i++) {
      Answer answer = whole(begin());
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.text()).isEqualTo("second");
      int all = i;
      await().atMost(20, SECONDS).until(() -> first.cancelled() == all);
    }

    endsWithoutBlame();
    assertThat(first.requests()).isEqualTo(5);
    assertThat(second.cancelled()).isZero();
    assertThat(hedges("total")).isEqualTo(5);
    assertThat(hedges("won_total")).isEqualTo(5);
    assertThat(hedges("cancelled_total")).isEqualTo(5);
    assertThat(metric("orrery_router_retries_total")).isZero();
    first.atOnce(200);
    whole(begin());
    assertThat(first.requests()).as("it is asked again").isEqualTo(6);
  }

  @Test
  void theFirstEndpointWinsWhenItsHeadIsThereFirst() throws Exception {
    hedged("");
    Future<Answer> answer = begin();
    await().atMost(20, SECONDS).until(() -> second.requests() == 1);
    assertThat(service().inFlight()).as("one request").isEqualTo(1);
    first.answer(200);

    assertThat(whole(answer).text()).isEqualTo("first");
    await().atMost(20, SECONDS).until(() -> second.cancelled() == 1);
    endsWithoutBlame();
    assertThat(hedges("won_total")).isZero();
    assertThat(hedges("cancelled_total")).isEqualTo(1);
  }

  @Test
  void anAnswerInTimeIsNotHedged() throws Exception {
    hedged(", hedge: {after: 2s, budget: 100%}");
    first.atOnce(200);
    second.atOnce(200);
    for (int i = 0; i < 10; i++) {
      whole(begin());
    }
    // The next one is hedged: the time of those before it has passed as well by then.
    first.atOnce(0);
    second.atOnce(0);
    Future<Answer> slow = begin();
    await().atMost(20, SECONDS).until(() -> first.requests() + second.requests() == 12);
    first.answer(200);
    second.answer(200);
    whole(slow);

    assertThat(hedges("total")).isEqualTo(1);
  }

  @Test
  void ofTwoSlowEndpointsTheOneThatWasWaitedForIsToBlame() throws Exception {
    hedged(", timeout: {firstByte: 500ms}");

    Answer answer = whole(begin());

    assertThat(answer.status()).isEqualTo(504);
    assertThat(first.requests() + second.requests()).isEqualTo(2);
    await().atMost(20, SECONDS).until(() -> first.cancelled() + second.cancelled() == 2);
    assertThat(service().endpoints().getFirst().ejected()).isTrue();
    assertThat(service().endpoints().getLast().ejected()).isFalse();
    assertThat(hedges("cancelled_total")).isZero();
    await()
        .atMost(20, SECONDS)
        .until(() -> service().endpoints().stream().allMatch(each -> each.outstanding() == 0));
  }

  @ParameterizedTest
  @ValueSource(ints = {502, 503, 504})
  void theFailureOfAGatewayWinsNothing(int status) throws Exception {
    hedged("");
    second.atOnce(status);
    Future<Answer> answer = begin();
    await().atMost(20, SECONDS).until(() -> service().endpoints().getLast().ejected());
    first.answer(200);

    assertThat(whole(answer).text()).isEqualTo("first");
    assertThat(hedges("won_total")).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {404, 500})
  void anyOtherAnswerWins(int status) throws Exception {
    hedged("");
    second.atOnce(status);

    Answer answer = whole(begin());

    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.text()).isEqualTo("second");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 502, 503})
  void theSecondEndpointGoesOnWhenTheFirstFails(int status) throws Exception {
    hedged("");
    Future<Answer> answer = begin();
    await().atMost(20, SECONDS).until(() -> second.requests() == 1);
    if (status == 0) {
      first.cut();
    } else {
      first.answer(status);
    }
    await().atMost(20, SECONDS).until(() -> service().endpoints().getFirst().outstanding() == 0);
    second.answer(200);

    assertThat(whole(answer).text()).isEqualTo("second");
    assertThat(first.requests() + second.requests()).isEqualTo(2);
    assertThat(hedges("won_total")).isEqualTo(1);
    assertThat(hedges("cancelled_total")).isZero();
    assertThat(metric("orrery_router_retries_total")).isZero();
  }

  @Test
  void whenBothFailTheRequestIsRetriedAsAnyOther() throws Exception {
    hedged(", retries: {attempts: 1, on: [reset, 503]}, ejection: {consecutive: 5}");
    Future<Answer> answer = begin();
    await().atMost(20, SECONDS).until(() -> second.requests() == 1);
    second.cut();
    await().atMost(20, SECONDS).until(() -> service().endpoints().getLast().outstanding() == 0);
    first.atOnce(200);
    second.atOnce(200);
    first.answer(503);

    assertThat(whole(answer).status()).isEqualTo(200);
    assertThat(first.requests() + second.requests()).isEqualTo(3);
    assertThat(hedges("total")).isEqualTo(1);
    assertThat(metric("orrery_router_retries_total")).isEqualTo(1);
  }

  @Test
  void whenBothFailAndNoneMayFollowTheLastFailureIsTheAnswer() throws Exception {
    hedged("");
    Future<Answer> answer = begin();
    await().atMost(20, SECONDS).until(() -> second.requests() == 1);
    first.answer(503);
    await().atMost(20, SECONDS).until(() -> service().endpoints().getFirst().outstanding() == 0);
    second.answer(502);

    assertThat(whole(answer).status()).isEqualTo(502);
    assertThat(hedges("won_total")).isZero();
  }

  @Test
  void aClientThatGoesAwayEndsBoth() throws Exception {
    hedged("");
    try (RawClient raw = raw()) {
      raw.write("GET / HTTP/1.1\r\nHost: a.service.orrery.localhost\r\n\r\n");
      await().atMost(20, SECONDS).until(() -> second.requests() == 1);
    }

    await().atMost(20, SECONDS).until(() -> first.cancelled() + second.cancelled() == 2);
    endsWithoutBlame();
    assertThat(hedges("cancelled_total")).isZero();
  }

  @Test
  void aStreamOfHttp2IsResetAndItsConnectionStays() throws Exception {
    hedged(", protocol: h2c");
    second.atOnce(200);

    for (int i = 1; i <= 3; i++) {
      assertThat(whole(begin()).text()).isEqualTo("second");
      int all = i;
      await().atMost(20, SECONDS).until(() -> first.resets().size() == all);
    }

    assertThat(first.resets()).containsOnly(Http2Error.CANCEL.code());
    endsWithoutBlame();
  }

  @Test
  void aRequestThatWaitsForAConnectionToItsEndpointIsHedged() throws Exception {
    hedged(", limits: {connections: 1}");
    second.atOnce(200);
    Future<Answer> holds = ask(client, to(HttpMethod.POST, "a", "/x"), Buffer.buffer("x"));
    await().atMost(20, SECONDS).until(() -> first.requests() == 1);
    assertThat(whole(begin()).text()).as("its turn").isEqualTo("second");

    for (int i = 0; i < 3; i++) {
      assertThat(whole(begin()).text()).isEqualTo("second");
    }

    assertThat(first.requests()).isEqualTo(1);
    assertThat(second.connections()).as("its connection is kept").isEqualTo(1);
    assertThat(hedges("won_total")).isPositive();
    first.answer(200);
    assertThat(whole(holds).text()).isEqualTo("first");
    endsWithoutBlame();
  }
}
