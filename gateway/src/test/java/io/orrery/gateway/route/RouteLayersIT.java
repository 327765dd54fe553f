package io.orrery.gateway.route;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.RouteLayers;
import io.orrery.core.bus.contract.Routes;
import io.orrery.core.http.ClientVertx;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.route.RouteLayer;
import io.orrery.core.sql.SqliteStore;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.core.time.Clock;
import io.orrery.core.time.SystemClock;
import io.orrery.orchestrator.route.RouteLayerVerticle;
import io.orrery.router.control.LastGood;
import io.orrery.router.control.LayerFollower;
import io.orrery.router.control.RouteDoor;
import io.orrery.router.route.RouterFile;
import io.orrery.router.run.Router;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A controller's layer on its way from the bus through the store to two routers. */
class RouteLayersIT {
  private static final String DOMAIN = "orrery.localhost";

  @TempDir Path home;
  private final AtomicInteger names = new AtomicInteger();
  private final List<Router> routers = new ArrayList<>();
  private Vertx vertx;
  private Store store;
  private Clock clock;
  private Bus bus;

  @BeforeEach
  void open() throws Exception {
    vertx = ClientVertx.create();
    bus = Bus.of(vertx);
    clock = new SystemClock(vertx);
    store = SqliteStore.open(vertx, home.resolve("orrery.db"));
  }

  @AfterEach
  void close() throws Exception {
    vertx.close().await(10, SECONDS);
    routers.forEach(Router::close);
  }

  private void orchestrator() throws Exception {
    vertx
        .deployVerticle(
            new RouteLayerVerticle(
                bus,
                store,
                clock,
                () -> Future.succeededFuture(routers.size()),
                () -> "question-" + names.incrementAndGet()))
        .await(10, SECONDS);
  }

  private Router router(String name) throws Exception {
    LastGood kept = new LastGood(home.resolve(name + ".json"), home.resolve(name + "-studio.json"));
    Router router =
        Router.start(
            new RouterFile.Listen(new RouterFile.Address("127.0.0.1", 0), 2, List.of()),
            kept.find(DOMAIN),
            kept,
            null);
    routers.add(router);
    vertx
        .deployVerticle(new RouteDoor(bus, clock, Future.succeededFuture(router.inbox())))
        .await(10, SECONDS);
    vertx
        .deployVerticle(new LayerFollower(bus, clock, Future.succeededFuture(router.inbox())))
        .await(10, SECONDS);
    return router;
  }

  private long put(String services, Long revision) throws Exception {
    return bus.request(
            RouteLayers.PUT,
            new RouteLayers.Put(RouteLayer.STUDIO, "services: [" + services + "]", revision))
        .await(10, SECONDS)
        .revision();
  }

  private static long inForce(Router router) {
    return router.inbox().current().table().revision(RouteLayer.STUDIO);
  }

  private Routes.Traffic traffic(String endpoint) throws Exception {
    return bus.request(
            Routes.TRAFFIC, new Routes.AskTraffic(List.of(endpoint), List.of("a"), false))
        .await(10, SECONDS);
  }

  private static Problem problem(ProblemException refused) {
    return refused.problem();
  }

  @Test
  void aLayerReachesAllRoutersAndTheirDisks() throws Exception {
    orchestrator();
    Router one = router("one");
    Router two = router("two");

    long revision = put("{name: a}", null);

    await().atMost(10, SECONDS).until(() -> inForce(one) == revision && inForce(two) == revision);
    assertThat(put("{name: a}", revision)).as("the same document").isEqualTo(revision);
    assertThatThrownBy(() -> put("{name: b}", revision - 1))
        .isInstanceOfSatisfying(
            ProblemException.class,
            e -> assertThat(problem(e)).isInstanceOf(Problem.Conflict.class));
    Router again = router("one");
    assertThat(again.inbox().current().state("a")).isNotNull();
  }

  @Test
  void aRouterWithoutAnOrchestratorRoutesByItsDiskAndFollowsWhenThereIsOne() throws Exception {
    Router alone = router("alone");
    alone.inbox().replace("services: [{name: mine}]", null);
    assertThat(alone.inbox().current().state("mine")).isNotNull();

    orchestrator();
    put("{name: a}", null);

    await().atMost(20, SECONDS).until(() -> alone.inbox().current().state("a") != null);
  }

  @Test
  void aLayerThatARouterRefusesIsNotStored() throws Exception {
    orchestrator();
    Router one = router("one");
    one.inbox().replace("services: [{name: mine, hosts: [m.orrery.localhost]}]", null);

    assertThatThrownBy(() -> put("{name: mine}", null))
        .hasMessageContaining("belongs to the layer table");
    assertThatThrownBy(() -> put("{name: b, hosts: [m.orrery.localhost]}", null))
        .hasMessageContaining("m.orrery.localhost");
    assertThatThrownBy(() -> put("{name: b, endpoints: [x]}", null))
        .isInstanceOfSatisfying(
            ProblemException.class,
            e -> assertThat(problem(e)).isInstanceOf(Problem.Refused.class));

    assertThat(
            bus.request(RouteLayers.GET, new RouteLayers.Get(RouteLayer.STUDIO, null))
                .await(10, SECONDS))
        .isEqualTo(new RouteLayers.Layer(0, "{\"services\": []}"));
  }

  @Test
  void aRouterWithAConflictKeepsWhatItHasUntilTheConflictIsGone() throws Exception {
    orchestrator();
    router("one");
    long first = put("{name: a}", null);
    Router late = router("late");
    late.inbox().replace("services: [{name: late}]", null);
    await().atMost(10, SECONDS).until(() -> inForce(late) == first);
    // Past the check, which asks one router only.
    store
        .write(
            List.of(
                Statement.of(
                    "update route_layers set revision = revision + 1, document = ?",
                    "services: [{name: a}, {name: late}]")))
        .await(10, SECONDS);
    await().atMost(10, SECONDS).until(() -> inForce(routers.getFirst()) == first + 1);
    assertThat(inForce(late)).isEqualTo(first);
    // A router says so once it has it on its disk, a moment after it routes by it.
    await().atMost(10, SECONDS).until(() -> traffic("127.0.0.1:9").studio() == first);

    late.inbox().replace("services: []", null);

    await().atMost(10, SECONDS).until(() -> inForce(late) == first + 1);
  }

  @Test
  void trafficSaysWhenAnEndpointMayEnd() throws Exception {
    orchestrator();
    Router one = router("one");
    Router two = router("two");
    Promise<Void> go = Promise.promise();
    int port =
        vertx
            .createHttpServer()
            .requestHandler(request -> go.future().onSuccess(now -> request.response().end("x")))
            .listen(0, "127.0.0.1")
            .await(10, SECONDS)
            .actualPort();
    String endpoint = "127.0.0.1:" + port;
    long with = put("{name: a, endpoints: ['" + endpoint + "']}", null);
    await().atMost(10, SECONDS).until(() -> inForce(one) == with && inForce(two) == with);
    RequestOptions options =
        new RequestOptions()
            .setServer(SocketAddress.inetSocketAddress(two.port(), "127.0.0.1"))
            .setHost("a.service." + DOMAIN)
            .setPort(80)
            .setMethod(HttpMethod.GET)
            .setURI("/");
    HttpClient client = vertx.createHttpClient();
    Future<?> answer =
        ClientVertx.onLoop(
            vertx,
            () ->
                client
                    .request(options)
                    .compose(request -> request.send())
                    .compose(response -> response.body()));
    await()
        .atMost(10, SECONDS)
        .until(() -> traffic(endpoint).endpoints().getFirst().outstanding() == 1);
    assertThat(traffic(endpoint).services().getFirst().inFlight()).isEqualTo(1);

    long without = put("{name: a}", with);

    await().atMost(10, SECONDS).until(() -> traffic(endpoint).studio() == without);
    Routes.Traffic leaving = traffic(endpoint);
    assertThat(leaving.routers()).isEqualTo(2);
    assertThat(leaving.answered()).isEqualTo(2);
    assertThat(leaving.isInForce(without)).isTrue();
    assertThat(leaving.idle()).isEmpty();
    assertThat(bus.request(Routes.SHOW, new Routes.Show()).await(10, SECONDS).services())
        .hasSize(1);

    go.complete();
    answer.await(10, SECONDS);

    await().atMost(10, SECONDS).until(() -> traffic(endpoint).idle().contains(endpoint));
    assertThat(traffic(endpoint).isInForce(without)).isTrue();
    assertThat(traffic(endpoint).services().getFirst().answers()).isEqualTo(1);
  }
}
