package io.orrery.kubernetes;

import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.PfxOptions;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** Servers with a certificate, and a folder for the keys. */
abstract class VertxHttpFixture {
  static final String NAME = "cluster.example";

  @TempDir static Path directory;

  static Path store;

  final Vertx vertx = Vertx.vertx();
  final Queue<String> tokens = new ConcurrentLinkedQueue<>();

  @BeforeAll
  static void keys() throws Exception {
    store = TestKeys.write(directory, NAME);
  }

  @AfterEach
  final void close() throws Exception {
    vertx.close().await(10, TimeUnit.SECONDS);
  }

  static void pass(Socket from, Socket to) {
    try {
      from.getInputStream().transferTo(to.getOutputStream());
      to.shutdownOutput();
    } catch (IOException over) {
      // One of the two has gone.
    }
  }

  final HttpServerOptions secure(ClientAuth certificates) {
    PfxOptions keys = new PfxOptions().setPath(store.toString()).setPassword(TestKeys.PASSWORD);
    return new HttpServerOptions()
        .setSsl(true)
        .setKeyCertOptions(keys)
        .setTrustOptions(
            new PemTrustOptions().addCertPath(directory.resolve("certificate").toString()))
        .setClientAuth(certificates);
  }

  final int server(HttpServerOptions options, Handler<HttpServerRequest> handler) {
    HttpServer server =
        vertx
            .createHttpServer(options)
            .requestHandler(handler)
            .listen(0, "localhost")
            .toCompletionStage()
            .toCompletableFuture()
            .join();
    return server.actualPort();
  }
}
