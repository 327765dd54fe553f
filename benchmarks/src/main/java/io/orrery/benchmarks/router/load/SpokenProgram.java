package io.orrery.benchmarks.router.load;

import io.netty.util.internal.logging.InternalLoggerFactory;
import io.netty.util.internal.logging.JdkLoggerFactory;
import io.orrery.core.json.Json;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.JdkSSLEngineOptions;
import io.vertx.core.net.OpenSSLEngineOptions;
import io.vertx.core.net.PemKeyCertOptions;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.LogManager;

/**
 * Endpoints that speak gRPC over HTTP/2 without TLS, and HTTP/1.1 over TLS 1.3, on one event loop.
 * Answers each line of its standard input with the requests that came to each since the last one.
 */
final class SpokenProgram {
  private static final int SHORTEST_ANSWER = 100;
  private static final String LOOPBACK = "127.0.0.1";

  private final AtomicInteger calls = new AtomicInteger();
  private final AtomicInteger requests = new AtomicInteger();
  private final Buffer shortest = Buffer.buffer("x".repeat(SHORTEST_ANSWER));

  private SpokenProgram() {}

  /**
   * @param arguments the files of the certificate and of its key
   */
  public static void main(String[] arguments) throws Exception {
    // The standard output is for answers, and that connections end with calls under way is no news.
    System.setProperty(
        "vertx.logger-delegate-factory-class-name", "io.vertx.core.logging.JULLogDelegateFactory");
    InternalLoggerFactory.setDefaultFactory(JdkLoggerFactory.INSTANCE);
    LogManager.getLogManager().reset();
    SpokenProgram program = new SpokenProgram();
    Vertx vertx =
        Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setPreferNativeTransport(true));
    int grpc =
        vertx
            .createHttpServer(new HttpServerOptions().setHttp2ClearTextEnabled(true))
            .requestHandler(program::call)
            .listen(0, LOOPBACK)
            .await(10, TimeUnit.SECONDS)
            .actualPort();
    int tls =
        vertx
            .createHttpServer(
                new HttpServerOptions()
                    .setSsl(true)
                    .setUseAlpn(false)
                    // Java's takes a second of a busy core for the first handshakes.
                    .setSslEngineOptions(
                        OpenSSLEngineOptions.isAvailable()
                            ? new OpenSSLEngineOptions()
                            : new JdkSSLEngineOptions())
                    .removeEnabledSecureTransportProtocol("TLSv1.2")
                    .setKeyCertOptions(
                        new PemKeyCertOptions().addCertPath(arguments[0]).addKeyPath(arguments[1])))
            .requestHandler(program::answer)
            .listen(0, LOOPBACK)
            .await(10, TimeUnit.SECONDS)
            .actualPort();
    System.out.println(Json.write(List.of(grpc, tls)));
    program.count();
    // Threads of Vert.x would outlive the clients, which have no use for answers any more.
    System.exit(0);
  }

  private void count() throws IOException {
    for (int next = System.in.read(); next >= 0; next = System.in.read()) {
      if (next == '\n') {
        System.out.println(Json.write(List.of(calls.getAndSet(0), requests.getAndSet(0))));
      }
    }
  }

  /** Answers a unary call with its own message. */
  private void call(HttpServerRequest request) {
    request
        .body()
        .onSuccess(message -> {
          boolean good =
              request.version() == HttpVersion.HTTP_2
                  && "application/grpc".equals(request.getHeader("content-type"))
                  && message.length() > 5
                  && message.getInt(1) == message.length() - 5;
          calls.addAndGet(good ? 1 : 0);
          request
              .response()
              .putHeader("content-type", "application/grpc")
              .putTrailer("grpc-status", good ? "0" : "3")
              .end(message)
              .onFailure(SpokenProgram::gone);
        })
        .onFailure(SpokenProgram::gone);
  }

  /** Answers with as much as came, and as much as the other endpoints at least. */
  private void answer(HttpServerRequest request) {
    requests.incrementAndGet();
    request
        .body()
        .compose(body -> request.response().end(body.length() > SHORTEST_ANSWER ? body : shortest))
        .onFailure(SpokenProgram::gone);
  }

  private static void gone(Throwable cause) {
    // Clients end with calls under way, and their proxies then give up theirs.
  }
}
