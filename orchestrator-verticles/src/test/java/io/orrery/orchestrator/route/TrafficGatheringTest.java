package io.orrery.orchestrator.route;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Routes;
import io.orrery.core.bus.contract.Routes.AskTraffic;
import io.orrery.core.bus.contract.Routes.Counted;
import io.orrery.core.bus.contract.Routes.EndpointTraffic;
import io.orrery.core.bus.contract.Routes.Traffic;
import io.orrery.core.time.SystemClock;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Adds up what processes that may run routers have counted. */
class TrafficGatheringTest {
  private static final String ENDPOINT = "127.0.0.1:9001";

  private final Vertx vertx = Vertx.vertx();
  private final Bus bus = Bus.of(vertx);

  @AfterEach
  void close() throws Exception {
    vertx.close().await(10, SECONDS);
  }

  private Traffic traffic(long... revisions) throws Exception {
    new TrafficGathering(
            bus,
            new SystemClock(vertx),
            () -> Future.succeededFuture(revisions.length),
            () -> "question")
        .serve()
        .await(10, SECONDS);
    bus.listen(
        Routes.COUNT,
        count -> {
          for (long revision : revisions) {
            bus.publish(
                Routes.COUNTED,
                new Counted(
                    count.id(), revision, List.of(new EndpointTraffic(ENDPOINT, 2)), List.of()));
          }
        });
    return bus.request(Routes.TRAFFIC, new AskTraffic(List.of(ENDPOINT), List.of(), false))
        .await(10, SECONDS);
  }

  @Test
  void theCountsOfAllRoutersAreAddedAndTheRevisionIsThatOfTheLast() throws Exception {
    assertThat(traffic(8, 7))
        .isEqualTo(new Traffic(2, 2, 7, List.of(new EndpointTraffic(ENDPOINT, 4)), List.of()));
  }

  @Test
  void aProcessThatRunsNoRouterIsNoneOfTheRouters() throws Exception {
    Traffic both = traffic(7, Counted.NO_ROUTER);

    assertThat(both.routers()).isEqualTo(1);
    assertThat(both.answered()).isEqualTo(1);
    assertThat(both.studio()).isEqualTo(7);
  }

  @Test
  void whereNoneRunsARouterThereIsNone() throws Exception {
    Traffic none = traffic(Counted.NO_ROUTER);

    assertThat(none.routers()).isZero();
    assertThat(none.isInForce(7)).isTrue();
  }
}
