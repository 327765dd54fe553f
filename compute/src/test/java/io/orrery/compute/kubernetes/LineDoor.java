package io.orrery.compute.kubernetes;

import io.orrery.core.json.Json;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.UpgradeRejectedException;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.core.http.WebSocketConnectOptions;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Stands before a mock that tells watches over WebSockets alone, and tells them as API servers do:
 * as lines of an answer that does not end. Commands in pods are WebSockets that the node serves.
 * Everything else goes through.
 */
final class LineDoor implements AutoCloseable {
  private static final int MOST = 1 << 24;

  private final int behind;
  private final Node node;
  private final Vertx vertx = Vertx.vertx();
  private final HttpClient client;
  private final WebSocketClient sockets;
  private final HttpServer server;
  private final Set<HttpServerResponse> watches = ConcurrentHashMap.newKeySet();

  /**
   * @param behind the port of the mock
   * @param node runs commands in pods
   */
  LineDoor(int behind, Node node) {
    this.behind = behind;
    this.node = node;
    this.client =
        vertx.createHttpClient(
            new HttpClientOptions().setDefaultHost("localhost").setDefaultPort(behind),
            new PoolOptions().setHttp1MaxSize(256));
    this.sockets =
        vertx.createWebSocketClient(
            new WebSocketClientOptions()
                .setMaxConnections(256)
                .setMaxFrameSize(MOST)
                .setMaxMessageSize(MOST));
    this.server =
        vertx
            .createHttpServer(
                new HttpServerOptions()
                    .addWebSocketSubProtocol("v5.channel.k8s.io")
                    .addWebSocketSubProtocol("v4.channel.k8s.io"))
            .requestHandler(this::enter)
            .listen(0, "localhost")
            .toCompletionStage()
            .toCompletableFuture()
            .join();
  }

  String url() {
    return "http://localhost:" + server.actualPort();
  }

  /** Ends all watches. */
  void breakWatches() {
    watches.forEach(HttpServerResponse::end);
  }

  private void enter(HttpServerRequest request) {
    if ("true".equals(request.getParam("watch"))) {
      watch(request);
    } else if (request.path().endsWith("/exec")) {
      execute(request);
    } else {
      request.body().onSuccess(body -> pass(request, body));
    }
  }

  private void pass(HttpServerRequest request, Buffer body) {
    client
        .request(request.method(), request.uri())
        .compose(further -> {
          further.headers().addAll(request.headers());
          return further.send(body);
        })
        .compose(answer ->
            answer
                .body()
                .compose(words -> {
                  HttpServerResponse response = request.response();
                  response.setStatusCode(answer.statusCode()).headers().addAll(answer.headers());
                  response.headers().remove(HttpHeaders.TRANSFER_ENCODING);
                  response.headers().remove(HttpHeaders.CONTENT_LENGTH);
                  return response.end(words);
                }))
        .onFailure(lost -> request.connection().close());
  }

  /** The mock refuses it, or answers with the pod. */
  private void execute(HttpServerRequest request) {
    request.pause();
    client
        .request(request.method(), request.uri())
        .compose(further -> {
          String login = request.getHeader(HttpHeaders.AUTHORIZATION);
          if (login != null) {
            further.putHeader(HttpHeaders.AUTHORIZATION, login);
          }
          return further.send();
        })
        .compose(answer ->
            answer
                .body()
                .compose(body -> {
                  if (answer.statusCode() != 200) {
                    return request.response().setStatusCode(answer.statusCode()).end(body);
                  }
                  List<String> command = request.params().getAll("command");
                  NodeTerminal.Streams streams =
                      NodeTerminal.Streams.of(
                          "true".equals(request.getParam("tty")),
                          "true".equals(request.getParam("stdin")));
                  // Unordered: the Secrets of a pod that is gone are waited for.
                  return vertx
                      .executeBlocking(
                          () -> node.command(Json.parse(body.toString()), command, streams), false)
                      .compose(process ->
                          request
                              .toWebSocket()
                              .onSuccess(socket -> NodeTerminal.relay(socket, process)))
                      .<Void>mapEmpty();
                }))
        .onFailure(lost -> request.connection().close());
  }

  private void watch(HttpServerRequest request) {
    WebSocketConnectOptions options =
        new WebSocketConnectOptions().setHost("localhost").setPort(behind).setURI(request.uri());
    String login = request.getHeader(HttpHeaders.AUTHORIZATION);
    if (login != null) {
      options.addHeader(HttpHeaders.AUTHORIZATION, login);
    }
    sockets
        .connect(options)
        .onSuccess(socket -> {
          HttpServerResponse response = request.response().setChunked(true);
          watches.add(response);
          socket.textMessageHandler(text -> {
            if (!response.ended()) {
              response.write(text.replace("\n", " ") + "\n");
            }
          });
          socket.closeHandler(closed -> {
            if (!response.ended()) {
              response.end();
            }
          });
          response.endHandler(ended -> socket.close());
          response.closeHandler(closed -> {
            watches.remove(response);
            socket.close();
          });
          response.writeHead();
        })
        .onFailure(failure -> {
          if (failure instanceof UpgradeRejectedException) {
            pass(request, Buffer.buffer());
          } else {
            request.connection().close();
          }
        });
  }

  @Override
  public void close() {
    try {
      // The mock takes up to ten seconds to let go of a watch, and of each after the other.
      vertx.close().await(60, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new IllegalStateException("the door does not close", e);
    }
  }
}
