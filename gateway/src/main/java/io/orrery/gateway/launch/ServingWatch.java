package io.orrery.gateway.launch;

import io.orrery.core.process.Watchdog;
import io.orrery.gateway.http.EdgeVerticle;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A watch over the event loops of a server and the port of its API. A server that can no longer
 * serve says so and ends: what it has acknowledged is on disk, and the next one goes on.
 */
final class ServingWatch {
  /** The exit code, that of {@code orrery route} in the same case. */
  static final int DEAF = 3;

  /** Longer than the router has, which gives its connections back when it is the deaf one. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private ServingWatch() {}

  /**
   * Begins; the caller closes it.
   *
   * @param loops how many event loops there are
   * @param host the address that the port is bound to
   */
  static Watchdog over(Ground ground, int loops, EdgeVerticle edge, String host) {
    Watchdog watchdog = new Watchdog("server", PATIENCE, ServingWatch::giveUp);
    AtomicInteger next = new AtomicInteger();
    for (int i = 0; i < loops; i++) {
      ground.deploy(new OnLoop(watchdog, next));
    }
    watchdog.port(new InetSocketAddress(host, edge.actualPort()), edge::accepted);
    watchdog.start();
    return watchdog;
  }

  private static void giveUp(String why) {
    System.err.println(
        "orrery: could not serve requests any more: "
            + why
            + "; ending with exit code "
            + DEAF
            + ". Trials go on, and a new start goes on with them");
    Runtime.getRuntime().halt(DEAF);
  }

  /** A verticle that shows its event loop: each one that is deployed gets the next loop. */
  private static final class OnLoop extends VerticleBase {
    private final Watchdog watchdog;
    private final AtomicInteger next;

    OnLoop(Watchdog watchdog, AtomicInteger next) {
      this.watchdog = watchdog;
      this.next = next;
    }

    @Override
    public Future<?> start() {
      Context loop = context;
      watchdog.loop(next.getAndIncrement(), loop);
      return Future.succeededFuture();
    }
  }
}
