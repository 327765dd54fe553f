package io.orrery.router.proxy;

import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.access.OriginPasses;
import io.orrery.core.http.ClientVertx;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketConnectOptions;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * The processor time of the router for the traffic of a notebook beside that of an unguarded
 * service, in turns. It prints the figures and judges none of them: the goal is twice at most.
 */
@EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
@Timeout(value = 5, unit = MINUTES)
class GuardCostIT extends RouterIT {
  private static final int ROUNDS = 5;
  private static final int CLIENTS = 16;
  private static final int REQUESTS = 250;
  private static final int MESSAGES = 500;

  private final OriginPasses passes = new OriginPasses(new byte[32]);
  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

  @Override
  OriginPasses passes() {
    return passes;
  }

  private static Set<Long> running() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::threadId)
        .collect(Collectors.toCollection(HashSet::new));
  }

  /** Has all event loops of the clients and endpoints there, which begin at their first use. */
  private void startLoops() throws Exception {
    List<Future<Void>> all = new ArrayList<>();
    for (int i = 0; i < 4 * Runtime.getRuntime().availableProcessors(); i++) {
      Promise<Void> there = Promise.promise();
      vertx.getOrCreateContext().runOnContext(turn -> there.complete());
      all.add(there.future());
    }
    Future.all(all).await(20, SECONDS);
  }

  private RequestOptions request(String host, String pass) {
    return to(HttpMethod.GET, host, "/api/contents").putHeader("Cookie", pass);
  }

  /** A client that asks again after each answer. */
  private Future<Void> ask(String host, String pass, int left) {
    return left == 0
        ? Future.succeededFuture()
        : client
            .request(request(host, pass))
            .compose(asked -> asked.send())
            .compose(answer -> {
              assertThat(answer.statusCode()).isEqualTo(200);
              return answer.body();
            })
            .compose(body -> ask(host, pass, left - 1));
  }

  private void requests(String host, String pass) throws Exception {
    Future.all(
            IntStream.range(0, CLIENTS)
                .mapToObj(i -> ClientVertx.onLoop(vertx, () -> ask(host, pass, REQUESTS)))
                .toList())
        .await(60, SECONDS);
  }

  /** A message that is echoed is sent again. */
  private Future<Void> echo(WebSocketClient sockets, String host, String pass) {
    WebSocketConnectOptions options = new WebSocketConnectOptions().setURI("/ws");
    String authority = host + ".service." + DOMAIN;
    options.setHost("127.0.0.1").setPort(router.port()).putHeader("Host", authority);
    options.putHeader("Origin", "http://" + authority).putHeader("Cookie", pass);
    return sockets
        .connect(options)
        .compose(socket -> {
          Promise<Void> done = Promise.promise();
          int[] left = {MESSAGES};
          socket.textMessageHandler(text -> {
            if (--left[0] == 0) {
              done.complete();
            } else {
              socket.writeTextMessage(text);
            }
          });
          socket.writeTextMessage("x".repeat(200));
          return done.future().compose(all -> socket.close());
        });
  }

  private void messages(WebSocketClient sockets, String host, String pass) throws Exception {
    Future.all(
            IntStream.range(0, CLIENTS)
                .mapToObj(i -> ClientVertx.onLoop(vertx, () -> echo(sockets, host, pass)))
                .toList())
        .await(60, SECONDS);
  }

  private interface Load {
    void run(String host, String pass) throws Exception;
  }

  /** The microseconds of the router for one of so many, of an unguarded and a guarded service. */
  private void measure(String what, Load load, int number, Supplier<Set<Long>> ours)
      throws Exception {
    String pass = "orrery_pass_lab=" + passes.pass("lab", 1, Instant.now());
    List<List<Double>> costs = List.of(new ArrayList<>(), new ArrayList<>());
    for (int round = 0; round <= ROUNDS; round++) {
      for (int turn = 0; turn < 2; turn++) {
        int which = (round + turn) % 2;
        long before = cpu(ours.get());
        load.run(which == 0 ? "open" : "lab", which == 0 ? "a=" + pass.substring(2) : pass);
        double micros = (cpu(ours.get()) - before) / 1e3 / number;
        if (round > 0) {
          costs.get(which).add(micros);
        }
      }
    }
    double open = median(costs.getFirst());
    double guarded = median(costs.getLast());
    System.out.printf(
        "%s, %s: unguarded %.2f µs, guarded %.2f µs (%.2f times; goal 2 at most)%n",
        way, what, open, guarded, guarded / open);
  }

  private long cpu(Set<Long> ids) {
    return ids.stream().mapToLong(threads::getThreadCpuTime).filter(time -> time > 0).sum();
  }

  private static double median(List<Double> values) {
    return values.stream().sorted(Comparator.naturalOrder()).toList().get(values.size() / 2);
  }

  @Test
  void theTrafficOfANotebookCostsTheRouterThis() throws Exception {
    Upstream endpoint =
        opened(
            Upstream.start(
                vertx,
                request -> {
                  if (request.canUpgradeToWebSocket()) {
                    request.toWebSocket().onSuccess(GuardCostIT::repeat);
                  } else {
                    request.response().end("{\"name\": \"x.ipynb\"}");
                  }
                }));
    startLoops();
    Set<Long> others = running();
    route(
        """
          - {name: lab, endpoints: ["%1$s"], access: {audience: lab, epoch: 1}, inject: {authorization: derived}}
          - {name: open, endpoints: ["%1$s"]}
        """
            .formatted(endpoint.address()));
    WebSocketClient sockets = vertx.createWebSocketClient();
    Supplier<Set<Long>> ours =
        () -> {
          Set<Long> all = running();
          all.removeAll(others);
          return all;
        };

    measure("GET", this::requests, CLIENTS * REQUESTS, ours);
    measure(
        "message of a WebSocket",
        (host, pass) -> messages(sockets, host, pass),
        CLIENTS * MESSAGES,
        ours);
    sockets.close().await(20, SECONDS);
  }

  private static void repeat(ServerWebSocket socket) {
    socket.textMessageHandler(socket::writeTextMessage);
  }
}
