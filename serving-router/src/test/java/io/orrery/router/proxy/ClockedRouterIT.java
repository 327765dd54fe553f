package io.orrery.router.proxy;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.awaitility.Awaitility.await;

import io.orrery.core.time.VirtualClock;
import io.orrery.router.policy.Rates;
import io.orrery.router.policy.Surroundings;
import io.orrery.router.policy.Tables;
import io.orrery.router.route.RouterFile;
import io.orrery.router.telemetry.Meters;
import io.orrery.router.wire.Mount;
import io.vertx.core.Vertx;
import io.vertx.core.transport.Transport;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A base for tests of an event loop of a router whose clock the test moves. */
abstract class ClockedRouterIT extends RouterIT {
  private final AtomicLong passed = new AtomicLong();
  private final AtomicInteger looked = new AtomicInteger();
  int port;

  /** Starts one event loop of a router. */
  void start(Upstream endpoint) throws Exception {
    start(endpoint.address(), "http1");
  }

  void start(String endpoint, String protocol) throws Exception {
    start(endpoint, protocol, "");
  }

  /**
   * Starts one event loop of a router.
   *
   * @param more keys of the service, each with a comma before it
   */
  void start(String endpoint, String protocol, String more) throws Exception {
    String services =
        "  - {name: a, endpoints: [\""
            + endpoint
            + "\"], timeout: {firstByte: 1h, idle: 1h, total: 2h}, protocol: "
            + protocol
            + more
            + "}\n";
    Surroundings surroundings =
        new Surroundings(
            new Tables(table(services), 1),
            new Meters(),
            new Rates(),
            new VirtualClock(Instant.EPOCH),
            () -> {
              looked.incrementAndGet();
              return System.nanoTime() + passed.get();
            },
            null);
    RouterFile.Listen listen =
        new RouterFile.Listen(
            new RouterFile.Address("127.0.0.1", 0), 1, List.of(), fastPath, false);
    Mount mount = new Mount(Transport.NIO, false);
    Vertx own = Vertx.builder().withTransport(mount).build();
    opened(() -> own.close().await(5, SECONDS));
    mount.on(own);
    RouterVerticle lane =
        new RouterVerticle(listen, surroundings, mount, 0, 1, new SplittableRandom(1));
    own.deployVerticle(lane).await(20, SECONDS);
    port = lane.actualPort();
  }

  /** Lets time pass. */
  void pass(Duration time) {
    passed.addAndGet(time.toNanos());
  }

  /** Waits until the event loop has looked at the time so often. */
  void ticks(int many) {
    int before = looked.get();
    // Each tick asks for the time at least once, and a request does so too.
    await().atMost(10, SECONDS).until(() -> looked.get() >= before + 4 * many);
  }
}
