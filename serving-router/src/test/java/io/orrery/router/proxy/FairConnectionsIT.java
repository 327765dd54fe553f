package io.orrery.router.proxy;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the connections of an endpoint that several clients wait for. */
class FairConnectionsIT extends RouterIT {
  private static final String HOST = "Host: a.service.orrery.localhost\r\n\r\n";

  private final List<RawClient> clients = new ArrayList<>();

  /** The requests at the endpoint, in the order in which they came; each answered by its action. */
  private final Queue<Runnable> asked = new ArrayDeque<>();

  /** The paths of all of them. */
  private final List<String> paths = Collections.synchronizedList(new ArrayList<>());

  @AfterEach
  void closeClients() throws Exception {
    for (RawClient each : clients) {
      each.close();
    }
  }

  private void start(String limits) throws Exception {
    Upstream upstream =
        opened(
            Upstream.start(
                vertx,
                request -> {
                  synchronized (asked) {
                    asked.add(() -> request.response().end("ok"));
                  }
                  paths.add(request.path());
                }));
    route("  - {name: a, endpoints: [\"" + upstream.address() + "\"], limits: " + limits + "}\n");
  }

  private CompletableFuture<String> ask(String address, String path) throws Exception {
    RawClient raw = RawClient.from(address, router.port(), way);
    clients.add(raw);
    raw.write("GET " + path + " HTTP/1.1\r\n" + HOST);
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return raw.answer();
          } catch (Exception e) {
            return e.toString();
          }
        },
        task -> Thread.ofVirtual().start(task));
  }

  /** Waits until so many requests are at the endpoint, or wait for its connection. */
  private void awaitInFlight(int requests) {
    await()
        .atMost(10, SECONDS)
        .until(() -> router.inbox().current().state("a").inFlight() == requests);
  }

  /** Answers the oldest request at the endpoint, when there is one, and waits for the next. */
  private void answerOne(int then) {
    await().atMost(10, SECONDS).until(() -> !asked.isEmpty());
    synchronized (asked) {
      asked.remove().run();
    }
    await().atMost(10, SECONDS).until(() -> paths.size() == then);
  }

  @Test
  void aClientWithManyRequestsKeepsNoOtherFromTheNextConnection() throws Exception {
    start("{connections: 1, pending: 10}");
    for (int i = 0; i < 6; i++) {
      ask("127.0.0.1", "/many" + i);
      awaitInFlight(i + 1);
    }
    CompletableFuture<String> other = ask("127.0.0.2", "/other");
    awaitInFlight(7);

    answerOne(2);
    answerOne(3);
    answerOne(4);

    assertThat(paths).containsExactly("/many0", "/many1", "/other", "/many2");
    assertThat(other.get(10, SECONDS)).startsWith("HTTP/1.1 200");
  }

  @Test
  void theLastQuarterOfTheConnectionsIsForClientsWithFewRequests() throws Exception {
    start("{connections: 64, pending: 100}");
    for (int i = 0; i < 60; i++) {
      ask("127.0.0.1", "/many");
    }
    awaitInFlight(60);
    await().atMost(10, SECONDS).until(() -> paths.size() == 48);

    ask("127.0.0.2", "/other");

    await().atMost(10, SECONDS).until(() -> paths.contains("/other"));
    assertThat(paths).hasSize(49);
    // The first one that ends leaves three quarters, the next one a place.
    answerOne(49);
    answerOne(50);
    assertThat(paths.getLast()).isEqualTo("/many");
  }

  @Test
  void theLastQuarterOfTheRequestsIsForClientsWithFewOfThem() throws Exception {
    start("{connections: 200, requests: 64}");
    for (int i = 0; i < 48; i++) {
      ask("127.0.0.1", "/many");
    }
    awaitInFlight(48);

    assertThat(ask("127.0.0.1", "/more").get(10, SECONDS)).startsWith("HTTP/1.1 503");
    ask("127.0.0.2", "/other");
    await().atMost(10, SECONDS).until(() -> paths.contains("/other"));
    assertThat(paths).hasSize(49).doesNotContain("/more");
  }

  @Test
  void whereAsManyWaitAsMayTheClientWithMostGivesAPlace() throws Exception {
    start("{connections: 1, pending: 3}");
    List<CompletableFuture<String>> many = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      many.add(ask("127.0.0.1", "/many" + i));
      awaitInFlight(i + 1);
    }
    assertThat(ask("127.0.0.1", "/many4").get(10, SECONDS)).startsWith("HTTP/1.1 503");
    CompletableFuture<String> other = ask("127.0.0.2", "/other");

    assertThat(many.get(3).get(10, SECONDS)).startsWith("HTTP/1.1 503");
    answerOne(2);
    answerOne(3);
    answerOne(4);
    answerOne(4);

    assertThat(paths).containsExactly("/many0", "/many1", "/other", "/many2");
    assertThat(other.get(10, SECONDS)).startsWith("HTTP/1.1 200");
    assertThat(many.get(2).get(10, SECONDS)).startsWith("HTTP/1.1 200");
  }
}
