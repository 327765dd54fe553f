package io.orrery.core.process;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.SelfSignedCertificate;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  /** Behind TLS no connection counts before its handshake: an idle server is not a deaf one. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aPortThatIsIdleIsNotReported(boolean tls) throws Exception {
    HttpServerOptions options = new HttpServerOptions();
    if (tls) {
      options.setSsl(true).setKeyCertOptions(SelfSignedCertificate.create().keyCertOptions());
    }
    AtomicLong accepted = new AtomicLong();
    HttpServer server =
        vertx
            .createHttpServer(options)
            .connectionHandler(connection -> accepted.incrementAndGet())
            .requestHandler(request -> request.response().end())
            .listen(0, "127.0.0.1")
            .await(20, SECONDS);
    try (Watchdog watchdog = new Watchdog("test", Duration.ofSeconds(3), told::complete)) {
      watchdog.port(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), server.actualPort()),
          tls ? () -> 7 : accepted::get);
      watchdog.start();

      await().during(10, SECONDS).atMost(20, SECONDS).until(() -> !told.isDone());
    }
  }
}
