package io.orrery.router.proxy;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orrery.core.bus.Bus;
import io.orrery.core.route.RouteLayer;
import io.orrery.core.time.SystemClock;
import io.orrery.router.control.RouteDoor;
import io.orrery.router.run.Router;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A test of the rates that the routers of several servers keep together. */
class SharedRatesIT extends RouterIT {
  private final List<Router> routers = new ArrayList<>();
  private Bus bus;

  @BeforeEach
  void openBus() {
    bus = Bus.of(vertx);
  }

  @AfterEach
  void closeRouters() {
    routers.forEach(Router::close);
    router = null;
  }

  /** Starts a router with its door to the bus that all of them have. */
  private Router another(String own, String shared) throws Exception {
    route(own);
    Router started = router;
    routers.add(started);
    started.inbox().follow(RouteLayer.STUDIO, 1, "services:\n" + shared);
    vertx
        .deployVerticle(
            new RouteDoor(bus, new SystemClock(vertx), Future.succeededFuture(started.inbox())))
        .await(20, SECONDS);
    return started;
  }

  private int ask(Router at, String service, String key) throws Exception {
    router = at;
    RequestOptions options = to(HttpMethod.GET, service, "/").putHeader("X-Key", key);
    return send(options, null).status();
  }

  /** The requests that a router lets in before it refuses one; asked slowly, as others tell. */
  private int untilRefused(Router at, String service, String key) {
    int[] admitted = {0};
    await()
        .pollInterval(250, MILLISECONDS)
        .atMost(30, SECONDS)
        .until(() -> {
          if (ask(at, service, key) == 429) {
            return true;
          }
          admitted[0]++;
          return false;
        });
    return admitted[0];
  }

  @Test
  void whatAKeyHasSpentAtOneRouterItHasNotAtTheOther() throws Exception {
    Upstream endpoint = opened(Upstream.named(vertx, "answer"));
    String keys = ", endpoints: ['" + endpoint.address() + "'], limits: {rate: ";
    String by = "100/hour, rateBy: 'header:x-key'}}\n";
    String own = "  - {name: own" + keys + by;
    String shared = "  - {name: ours" + keys + by;
    Router one = another(own, shared);
    Router two = another(own, shared);
    // A key that asks at both until they have heard of each other: rates are told from then on.
    await()
        .atMost(30, SECONDS)
        .pollInterval(250, MILLISECONDS)
        .until(() -> {
          for (int i = 0; i < 100; i++) {
            ask(one, "ours", "first");
          }
          return ask(two, "ours", "first") == 429;
        });

    for (int i = 0; i < 100; i++) {
      assertThat(ask(one, "ours", "k")).isEqualTo(200);
      assertThat(ask(one, "own", "k")).isEqualTo(200);
    }
    assertThat(ask(one, "ours", "k")).isEqualTo(429);

    assertThat(untilRefused(two, "ours", "k")).isLessThan(100);
    assertThat(ask(two, "ours", "other")).as("another key").isEqualTo(200);
    assertThat(ask(two, "own", "k")).as("a service of the router's own").isEqualTo(200);
  }
}
