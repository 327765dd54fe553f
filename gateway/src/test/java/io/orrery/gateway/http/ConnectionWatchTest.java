package io.orrery.gateway.http;

import static io.orrery.core.sql.Await.success;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orrery.core.time.VirtualClock;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Counts the connections of a real HTTP server. */
class ConnectionWatchTest {
  private static final String HOST = "127.0.0.1";

  private final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private final VirtualClock clock = new VirtualClock(Instant.EPOCH);
  private final ConnectionWatch watch = new ConnectionWatch(clock, Duration.ofMinutes(1));

  /** The requests whose answer is awaited; each is ended by {@link #endAll}. */
  private final Queue<HttpServerRequest> waiting = new ConcurrentLinkedQueue<>();

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
    // There is one such handler: that of others takes the place of whatever was there.
    request.response().endHandler(ended -> {});
    if (request.path().equals("/socket")) {
      request.toWebSocket();
    } else {
      waiting.add(request);
    }
  }

  private void endAll() {
    loop.runOnContext(called -> {
      waiting.forEach(request -> request.response().end());
      waiting.clear();
    });
  }

  private void pass(Duration time) throws Exception {
    Promise<Boolean> done = Promise.promise();
    loop.runOnContext(called -> {
      clock.advance(time);
      done.complete(true);
    });
    success(done.future());
  }

  /** A request that has been taken by the server; it is answered by {@link #endAll}. */
  private Future<HttpClientResponse> ask(HttpClient client, int port) {
    int before = waiting.size();
    Future<HttpClientResponse> answer =
        client.request(HttpMethod.GET, port, HOST, "/").compose(HttpClientRequest::send);
    await().until(() -> waiting.size() > before);
    return answer;
  }

  @Test
  void aConnectionIsClosedAMinuteAfterItsLastAnswerAndNotBefore() throws Exception {
    int port = listen();
    HttpClient client = vertx.createHttpClient();
    try {
      loop.runOnContext(called -> watch.start());
      Future<HttpClientResponse> answer = ask(client, port);
      pass(Duration.ofMinutes(10));
      assertThat(hasRoomForTheOnlyOne()).as("it is at work").isFalse();

      endAll();
      assertThat(success(answer).statusCode()).isEqualTo(200);
      pass(Duration.ofSeconds(59));
      assertThat(hasRoomForTheOnlyOne()).as("a minute is not over").isFalse();

      pass(Duration.ofMinutes(1));
      await().until(this::hasRoomForTheOnlyOne);
    } finally {
      success(client.close());
    }
  }

  /** One answer says nothing of the other streams of its connection. */
  @Test
  void aConnectionOfHttp2StaysForTheStreamThatIsNotAnswered() throws Exception {
    int port = listen();
    HttpClient client =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setHttp2ClearTextUpgrade(false));
    try {
      loop.runOnContext(called -> watch.start());
      Future<HttpClientResponse> slow = ask(client, port);
      HttpServerRequest held = Objects.requireNonNull(waiting.poll());
      for (int i = 0; i < 20; i++) {
        Future<HttpClientResponse> quick = ask(client, port);
        endAll();
        success(quick);
      }

      pass(Duration.ofMinutes(10));
      assertThat(hasRoomForTheOnlyOne()).isFalse();

      waiting.add(held);
      endAll();
      success(slow);
      pass(Duration.ofMinutes(2));
      await().until(this::hasRoomForTheOnlyOne);
    } finally {
      success(client.close());
    }
  }

  @Test
  void aWebSocketIsNeverIdleAndLeavesItsRoomToOthersWhenItHasClosed() throws Exception {
    int port = listen();
    loop.runOnContext(called -> watch.start());
    WebSocketClient client = vertx.createWebSocketClient();
    WebSocket socket = success(client.connect(port, HOST, "/socket"));
    pass(Duration.ofMinutes(10));
    assertThat(hasRoomForTheOnlyOne()).isFalse();
    assertThat(socket.isClosed()).isFalse();

    success(socket.close());

    await().until(this::hasRoomForTheOnlyOne);
  }
}
