package io.orrery.gateway.http;

import static io.orrery.core.sql.Await.success;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orrery.core.time.SystemClock;
import io.vertx.core.Context;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Counts the connections of a real HTTP server. */
class ConnectionWatchTest {
  private static final String HOST = "127.0.0.1";

  private final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private final ConnectionWatch watch =
      new ConnectionWatch(new SystemClock(vertx), Duration.ofMinutes(1));

  @AfterEach
  void stop() throws Exception {
    success(vertx.close());
  }

  private boolean hasRoomForTheOnlyOne() throws Exception {
    Promise<Boolean> answer = Promise.promise();
    loop.runOnContext(called -> answer.complete(watch.hasRoom(1)));
    return success(answer.future());
  }

  private int listen() throws Exception {
    Promise<HttpServer> listening = Promise.promise();
    loop.runOnContext(called ->
        vertx
            .createHttpServer(new HttpServerOptions())
            .connectionHandler(watch::opened)
            .requestHandler(this::answer)
            .listen(0, HOST)
            .onComplete(listening));
    return success(listening.future()).actualPort();
  }

  private void answer(HttpServerRequest request) {
    watch.busy(request);
    request.toWebSocket();
  }

  @Test
  void aWebSocketThatHasClosedLeavesItsRoomToOthers() throws Exception {
    int port = listen();
    WebSocketClient client = vertx.createWebSocketClient();
    WebSocket socket = success(client.connect(port, HOST, "/"));
    assertThat(hasRoomForTheOnlyOne()).isFalse();

    success(socket.close());

    await().until(this::hasRoomForTheOnlyOne);
  }
}
