package io.orrery.router.run;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.router.route.RouteReader;
import io.orrery.router.route.RouterFile;
import io.vertx.core.Context;
import io.vertx.core.Promise;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The event loops that the verticles of a router run on. */
class EventLoopsIT {
  private static final int LOOPS = 3;

  @Test
  void eachVerticleHasOneOfItsOwnHoweverOftenTheRouterStarts() throws Exception {
    for (int start = 0; start < 60; start++) {
      try (Router router =
          Router.start(
              new RouterFile.Listen(
                  new RouterFile.Address("127.0.0.1", 0), LOOPS, List.of(), true, false),
              RouteReader.read("services: []\n", "orrery.localhost"),
              null,
              null)) {
        Set<Thread> threads = new HashSet<>();
        for (Context home : router.homes()) {
          Promise<Thread> told = Promise.promise();
          home.runOnContext(turn -> told.complete(Thread.currentThread()));
          threads.add(told.future().await(10, SECONDS));
        }
        assertThat(threads).hasSize(LOOPS);
      }
    }
  }
}
