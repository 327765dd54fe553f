package io.orrery.core.process;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A process that is alive and no longer serves is found out (E1). */
class WatchdogIT {
  private final Vertx vertx = Vertx.vertx();
  private final CountDownLatch blocked = new CountDownLatch(1);
  private final CompletableFuture<String> told = new CompletableFuture<>();

  @AfterEach
  void close() throws Exception {
    blocked.countDown();
    vertx.close().await(20, SECONDS);
  }

  @Test
  void anEventLoopThatDoesNotTurnIsReported() throws Exception {
    try (Watchdog watchdog = new Watchdog("test", Duration.ofSeconds(1), told::complete)) {
      var context = vertx.getOrCreateContext();
      watchdog.loop(3, context);
      context.runOnContext(go -> {
        try {
          blocked.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      });
      watchdog.start();

      assertThat(told.get(40, SECONDS)).contains("event loop 3 has not answered for 1 s");
    }
  }

  @Test
  void aPortAtWhichNothingIsAcceptedIsReported() throws Exception {
    try (ServerSocket deaf = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        Watchdog watchdog = new Watchdog("test", Duration.ofSeconds(6), told::complete)) {
      watchdog.loop(0, vertx.getOrCreateContext());
      watchdog.port(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), deaf.getLocalPort()), () -> 7);
      watchdog.start();

      assertThat(told.get(50, SECONDS)).contains("no connection was accepted at ");
    }
  }
}
