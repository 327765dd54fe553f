package io.orrery.kubernetes;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.UpgradeRejectedException;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.core.http.WebSocketConnectOptions;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The WebSockets of a client of an API server, all on one event loop. */
record Upgrades(Context loop, WebSocketClient client) {
  private static final Logger LOG = LoggerFactory.getLogger(Upgrades.class);

  /** The answer to a request that has become a WebSocket. */
  static final ApiAnswer SWITCHED = new ApiAnswer(101, Buffer.buffer(), null);

  private static final int MOST_CONNECTIONS = 256;

  /** Bytes of a message. */
  private static final int LONGEST = 1 << 20;

  /**
   * @param options whom connections trust and how they are made
   */
  static Upgrades open(Vertx vertx, Context loop, WebSocketClientOptions options) {
    options.setMaxConnections(MOST_CONNECTIONS).setMaxFrameSize(LONGEST).setMaxMessageSize(LONGEST);
    return new Upgrades(loop, vertx.createWebSocketClient(options));
  }

  /**
   * Opens one. Blocks.
   *
   * @param begun given the socket on the event loop, before anything comes
   * @return {@link #SWITCHED}, or the refusal
   */
  ApiAnswer open(WebSocketConnectOptions options, Duration patience, Consumer<WebSocket> begun)
      throws InterruptedException, ExecutionException, TimeoutException {
    CompletableFuture<ApiAnswer> answer = new CompletableFuture<>();
    loop.runOnContext(here ->
        client
            .connect(options)
            .onSuccess(socket -> {
              begun.accept(socket);
              if (!answer.complete(SWITCHED)) {
                // No caller waits for it any more.
                socket.close().onFailure(e -> LOG.debug("could not close a WebSocket", e));
              }
            })
            .onFailure(failure -> {
              if (failure instanceof UpgradeRejectedException refusal) {
                answer.complete(refused(refusal));
              } else {
                answer.completeExceptionally(failure);
              }
            }));
    try {
      return answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } finally {
      answer.cancel(false);
    }
  }

  private static ApiAnswer refused(UpgradeRejectedException refusal) {
    return new ApiAnswer(
        refusal.getStatus(),
        Objects.requireNonNullElseGet(refusal.getBody(), Buffer::buffer),
        refusal.getHeaders().get(HttpHeaders.RETRY_AFTER));
  }

  void close() {
    client.close().onFailure(e -> LOG.debug("could not close the WebSockets of a cluster", e));
  }
}
