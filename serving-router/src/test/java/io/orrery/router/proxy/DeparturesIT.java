package io.orrery.router.proxy;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orrery.router.health.Departures.Departed;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketConnectOptions;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Endpoints that left the table while requests were under way to them. */
class DeparturesIT extends RouterIT {
  private List<String> departed() {
    return router.inbox().current().departures().all().stream()
        .map(one -> one.service() + " " + one.outstanding())
        .toList();
  }

  private void forgotten(Upstream endpoint) {
    await()
        .atMost(10, SECONDS)
        .until(() ->
            router.inbox().current().departures().all().stream()
                .map(Departed::endpoint)
                .noneMatch(one -> one.address().toString().equals(endpoint.address())));
  }

  @Test
  void anEndpointThatLeftIsSeenUntilItsLastAnswerHasGone() throws Exception {
    Promise<Void> go = Promise.promise();
    Upstream slow =
        opened(
            Upstream.start(
                vertx, request -> go.future().onSuccess(now -> request.response().end("slow"))));
    Upstream fast = opened(Upstream.named(vertx, "fast"));
    route("  - {name: a, endpoints: [\"" + slow.address() + "\"]}\n");
    Future<Answer> answer = ask(client, to(HttpMethod.GET, "a", "/"), null);
    await().atMost(10, SECONDS).until(() -> slow.requests() == 1);

    router.inbox().accept(table("  - {name: a, endpoints: [\"" + fast.address() + "\"]}\n"));

    assertThat(departed()).containsExactly("a 1");
    assertThat(get("a", "/").text()).isEqualTo("fast");
    go.complete();
    assertThat(answer.await(10, SECONDS).text()).isEqualTo("slow");
    await().atMost(10, SECONDS).until(() -> departed().isEmpty());
    assertThat(slow.requests()).isEqualTo(1);
  }

  @Test
  void anEndpointOfAServiceThatLeftIsSeenAndMayComeBack() throws Exception {
    Promise<Void> go = Promise.promise();
    Upstream slow =
        opened(
            Upstream.start(
                vertx, request -> go.future().onSuccess(now -> request.response().end("slow"))));
    String services = "  - {name: a, endpoints: [\"" + slow.address() + "\"]}\n";
    route(services);
    Future<Answer> answer = ask(client, to(HttpMethod.GET, "a", "/"), null);
    await().atMost(10, SECONDS).until(() -> slow.requests() == 1);

    router.inbox().accept(table("  - {name: b}\n"));
    assertThat(departed()).containsExactly("a 1");

    router.inbox().accept(table(services));
    assertThat(departed()).isEmpty();
    assertThat(router.inbox().current().state("a").endpoints().getFirst().outstanding())
        .isEqualTo(1);
    go.complete();
    answer.await(10, SECONDS);
    await().atMost(10, SECONDS).until(() -> router.inbox().current().state("a").inFlight() == 0);
  }

  @Test
  void aCopyForAShadowIsNoRequestThatItsEndpointIsKeptFor() throws Exception {
    Upstream main = opened(Upstream.named(vertx, "main"));
    Upstream shadow = opened(Upstream.start(vertx, request -> {}));
    String a = "  - {name: a, endpoints: [\"" + main.address() + "\"], mirror: \"m:100%\"}\n";
    route(a + "  - {name: m, endpoints: [\"" + shadow.address() + "\"]}\n");
    assertThat(get("a", "/").text()).isEqualTo("main");
    await().atMost(10, SECONDS).until(() -> shadow.requests() == 1);
    assertThat(router.inbox().current().state("m").endpoints().getFirst().outstanding())
        .isEqualTo(1);

    router.inbox().accept(table(a + "  - {name: m}\n"));

    assertThat(departed()).isEmpty();
  }

  @Test
  void anUpgradedConnectionIsUnderWayUntilItCloses() throws Exception {
    Upstream endpoint =
        opened(
            Upstream.start(
                vertx,
                request ->
                    request
                        .toWebSocket()
                        .onSuccess(s -> s.textMessageHandler(s::writeTextMessage))));
    route("  - {name: a, endpoints: [\"" + endpoint.address() + "\"]}\n");
    // Held until the end: Vert.x closes a client, and what it opened, once it is garbage.
    WebSocketClient clients = vertx.createWebSocketClient();
    WebSocket socket =
        clients
            .connect(
                new WebSocketConnectOptions()
                    .setHost("127.0.0.1")
                    .setPort(router.port())
                    .putHeader("Host", "a.service." + DOMAIN)
                    .setURI("/"))
            .await(10, SECONDS);

    router.inbox().accept(table("  - {name: a}\n"));

    assertThat(departed()).containsExactly("a 1");
    socket.close().await(10, SECONDS);
    forgotten(endpoint);
    clients.close().await(10, SECONDS);
  }

  @Test
  void aRequestWhoseBodyStillComesGoesToAnEndpointThatIsThereThen() throws Exception {
    Upstream old = opened(Upstream.named(vertx, "old"));
    Upstream fresh = opened(Upstream.named(vertx, "fresh"));
    route("  - {name: a, endpoints: [\"" + old.address() + "\"]}\n");
    try (RawClient slow = raw()) {
      slow.write(
          "POST / HTTP/1.1\r\nHost: a.service." + DOMAIN + "\r\nContent-Length: 4\r\n\r\nab");
      await().atMost(10, SECONDS).until(() -> router.inbox().current().state("a").inFlight() == 1);

      router.inbox().accept(table("  - {name: a, endpoints: [\"" + fresh.address() + "\"]}\n"));
      forgotten(old);
      slow.write("cd");

      assertThat(slow.answer()).endsWith("fresh");
    }
    assertThat(old.requests()).isZero();
  }

  @Test
  void whileABodyComesForAServiceThatLeftItsEndpointsStayForIt() throws Exception {
    Upstream old = opened(Upstream.named(vertx, "old"));
    route("  - {name: a, endpoints: [\"" + old.address() + "\"]}\n");
    try (RawClient slow = raw()) {
      slow.write(
          "POST / HTTP/1.1\r\nHost: a.service." + DOMAIN + "\r\nContent-Length: 4\r\n\r\nab");
      await().atMost(10, SECONDS).until(() -> router.inbox().current().state("a").inFlight() == 1);

      router.inbox().accept(table("  - {name: b}\n"));
      assertThat(departed()).containsExactly("a 1");
      slow.write("cd");

      assertThat(slow.answer()).endsWith("old");
    }
    forgotten(old);
    assertThat(send(to(HttpMethod.GET, "a", "/"), Buffer.buffer()).status()).isEqualTo(404);
  }
}
