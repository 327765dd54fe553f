package io.orrery.router.proxy;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.awaitility.Awaitility.await;

import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;

/** A real server behind the router: HTTP/1.1 and HTTP/2 without TLS. */
final class Upstream implements AutoCloseable {
  private final Vertx vertx;
  private final Handler<HttpServerRequest> handler;
  private final AtomicInteger requests = new AtomicInteger();
  private HttpServer server;
  private int port;

  /** Holds the port while the server is away, so that no other program of this machine gets it. */
  private Socket reservation = new Socket();

  private Upstream(Vertx vertx, Handler<HttpServerRequest> handler) {
    this.vertx = vertx;
    this.handler = handler;
  }

  static Upstream start(Vertx vertx, Handler<HttpServerRequest> handler) throws Exception {
    Upstream upstream = new Upstream(vertx, handler);
    upstream.restart();
    return upstream;
  }

  /** Answers every request with 200 and its own name. */
  static Upstream named(Vertx vertx, String name) throws Exception {
    return start(vertx, request -> request.end().onSuccess(end -> request.response().end(name)));
  }

  /** Listens again, at the port that it had. */
  void restart() throws Exception {
    reservation.close();
    server =
        vertx
            .createHttpServer(new HttpServerOptions().setHandle100ContinueAutomatically(false))
            .requestHandler(request -> {
              requests.incrementAndGet();
              handler.handle(request);
            })
            .listen(port, "127.0.0.1")
            .await(5, SECONDS);
    port = server.actualPort();
  }

  /** Cuts every connection and stops listening; connections are refused from then on. */
  void kill() {
    server.close().toCompletionStage().toCompletableFuture().join();
    // The event loop gives the port back a moment after the server is closed.
    await()
        .atMost(10, SECONDS)
        .pollInterval(2, MILLISECONDS)
        .ignoreExceptions()
        .until(this::reserves);
  }

  private boolean reserves() throws IOException {
    reservation.close();
    reservation = new Socket();
    reservation.setReuseAddress(true);
    reservation.bind(new InetSocketAddress("127.0.0.1", port));
    return true;
  }

  int port() {
    return port;
  }

  String address() {
    return "127.0.0.1:" + port;
  }

  int requests() {
    return requests.get();
  }

  @Override
  public void close() throws IOException {
    server.close().toCompletionStage().toCompletableFuture().join();
    reservation.close();
  }
}
