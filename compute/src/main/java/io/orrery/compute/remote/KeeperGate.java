package io.orrery.compute.remote;

import io.orrery.compute.remote.agent.KeeperAnswer;
import io.orrery.compute.remote.agent.KeeperCall;
import io.orrery.compute.remote.agent.KeeperCalls;
import io.orrery.compute.service.TrialAccess;
import io.orrery.core.auth.BearerToken;
import io.orrery.core.http.StrictRequests;
import io.orrery.core.trial.KeeperPath;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The gate behind the forwarded ports and the agents of machines: leads to the server, but only to
 * what trials need of it, and only with the token of an attempt, whichever server owns it. Every
 * user with an account there can reach such a port, and a server on loopback asks no one for
 * credentials.
 */
final class KeeperGate implements KeeperCalls {
  private static final Logger LOG = LoggerFactory.getLogger(KeeperGate.class);

  private static final String REPORTS = "/api/v1/metrics";

  /** Longer than any question of a keeper is left open. */
  private static final int IDLE_SECONDS = 600;

  private static final int NOT_NOW = 503;
  private static final int FORBIDDEN = 403;

  /** A keeper holds up to three, and there may be hundreds. */
  private static final int MOST_CONNECTIONS = 4_096;

  /** Headers of one connection, which are not forwarded. */
  private static final Set<String> OWN =
      Set.of(
          "host",
          "origin",
          "connection",
          "keep-alive",
          "transfer-encoding",
          "te",
          "trailer",
          "upgrade",
          "cookie",
          "forwarded");

  private final Vertx vertx;
  private final TrialAccess access;
  private final HttpClient client;
  private final HttpServer listener;
  private final Future<Integer> port;

  /**
   * @param access the server, and the tokens that it takes
   */
  KeeperGate(Vertx vertx, TrialAccess access) {
    this.vertx = vertx;
    this.access = access;
    this.client =
        vertx.createHttpClient(
            new HttpClientOptions().setKeepAliveTimeout(30),
            new PoolOptions().setHttp1MaxSize(MOST_CONNECTIONS));
    this.listener =
        vertx.createHttpServer(
            new HttpServerOptions()
                .setIdleTimeout(IDLE_SECONDS)
                .setHttp2ClearTextEnabled(false)
                // What is not spoken here costs each connection a handler, and each request a look.
                .setPerFrameWebSocketCompressionSupported(false)
                .setPerMessageWebSocketCompressionSupported(false));
    this.port =
        listener
            .connectionHandler(StrictRequests::watch)
            .requestHandler(this::pass)
            .listen(0, "127.0.0.1")
            .map(HttpServer::actualPort);
  }

  /** The port that it listens on, of our loopback. */
  Future<Integer> port() {
    return port;
  }

  /** Whether a call may pass. */
  private boolean admits(HttpMethod method, @Nullable String path, @Nullable String token) {
    boolean keeper = path != null && KeeperPath.matches(path);
    boolean report = REPORTS.equals(path) && HttpMethod.POST.equals(method);
    return token != null && (keeper || (report && access.isToken(token)));
  }

  /** The request to the server that a call becomes. */
  private RequestOptions behind(HttpMethod method, String target) {
    URI base = URI.create(access.serverUrl());
    boolean secure = "https".equals(base.getScheme());
    int basePort = base.getPort() > 0 ? base.getPort() : secure ? 443 : 80;
    return new RequestOptions()
        .setMethod(method)
        .setHost(base.getHost())
        .setPort(basePort)
        .setSsl(secure)
        .setURI(base.getRawPath() + target);
  }

  /** A call by an agent: by the same rules, on an event loop of the caller's thread. */
  @Override
  public Future<KeeperAnswer> answer(KeeperCall call, Future<Void> left) {
    String token = call.token();
    if (token == null || !admits(call.method(), call.path(), token)) {
      return Future.succeededFuture(new KeeperAnswer(FORBIDDEN, Buffer.buffer()));
    }
    RequestOptions options = behind(call.method(), call.target());
    options.putHeader(HttpHeaders.AUTHORIZATION, "Bearer " + token);
    if (call.type() != null) {
      options.putHeader(HttpHeaders.CONTENT_TYPE, call.type());
    }
    Promise<KeeperAnswer> answer = Promise.promise();
    vertx
        .getOrCreateContext()
        .runOnContext(here ->
            client
                .request(options)
                .compose(out -> {
                  left.onComplete(gone -> out.reset());
                  return call.body().length() == 0 ? out.send() : out.send(call.body());
                })
                .compose(got -> got.body().map(body -> new KeeperAnswer(got.statusCode(), body)))
                .onComplete(answer));
    return answer.future();
  }

  private void pass(HttpServerRequest request) {
    if (!admits(request.method(), request.path(), token(request))) {
      refuse(request, FORBIDDEN);
      return;
    }
    request.pause();
    client
        .request(behind(request.method(), request.uri()))
        .compose(out -> send(request, out))
        .compose(answer -> answer(answer, request.response()))
        .onFailure(e -> {
          LOG.debug("could not forward a keeper's request", e);
          if (request.response().headWritten()) {
            // Half an answer cannot be replaced by another one, and its reader is not to wait.
            request
                .connection()
                .close()
                .onFailure(gone -> LOG.debug("could not close the connection of a keeper", gone));
          } else {
            refuse(request, NOT_NOW);
          }
        });
  }

  /** When all has come: a connection with something unread is closed, and the answer lost. */
  private static void refuse(HttpServerRequest request, int status) {
    // A server may fail when it has been given everything, and then there is nothing to wait for.
    Future<Void> whole = request.isEnded() ? Future.succeededFuture() : request.end();
    // The rest has no reader, and must not hold up others.
    request.handler(null).resume();
    whole
        .compose(all -> refuse(request.response(), status))
        .onFailure(gone -> LOG.debug("could not answer a refused keeper", gone));
  }

  private static Future<Void> refuse(HttpServerResponse response, int status) {
    // An answer that was to be passed on may have put its own there, and its length besides.
    response.headers().clear();
    return response.setStatusCode(status).end();
  }

  private static Future<HttpClientResponse> send(HttpServerRequest request, HttpClientRequest out) {
    request.response().exceptionHandler(gone -> out.reset());
    out.exceptionHandler(e -> LOG.debug("could not forward the head of a keeper's request", e));
    copy(request.headers(), out.headers()::add);
    boolean empty =
        !request.headers().contains(HttpHeaders.TRANSFER_ENCODING)
            && "0"
                .equals(
                    request.headers().get(HttpHeaders.CONTENT_LENGTH) == null
                        ? "0"
                        : request.headers().get(HttpHeaders.CONTENT_LENGTH));
    if (empty) {
      request.resume();
      return out.send();
    }
    if (!request.headers().contains(HttpHeaders.CONTENT_LENGTH)) {
      out.setChunked(true);
    }
    // Ended when the server has failed, the request would throw at its next piece.
    request
        .pipe()
        .endOnFailure(false)
        .to(out)
        .onFailure(e -> LOG.debug("could not forward the body of a keeper's request", e));
    return out.response();
  }

  private static Future<Void> answer(HttpClientResponse answer, HttpServerResponse response) {
    response.setStatusCode(answer.statusCode());
    copy(answer.headers(), response.headers()::add);
    if (!answer.headers().contains(HttpHeaders.CONTENT_LENGTH)) {
      response.setChunked(true);
    }
    // Half an answer is not to end as if it were whole.
    return answer.pipe().endOnFailure(false).to(response);
  }

  /** Takes a header over. */
  private interface Put {
    Object header(String name, String value);
  }

  private static void copy(Iterable<Map.Entry<String, String>> from, Put to) {
    for (Map.Entry<String, String> header : from) {
      if (!OWN.contains(header.getKey().toLowerCase(Locale.ROOT))) {
        to.header(header.getKey(), header.getValue());
      }
    }
  }

  /** The one that is shown; null where there is none, or the server might read another one. */
  private static @Nullable String token(HttpServerRequest request) {
    List<String> shown = request.headers().getAll(HttpHeaders.AUTHORIZATION);
    return shown.size() == 1 ? BearerToken.shown(shown.getFirst()) : null;
  }

  Future<Void> close() {
    return listener.close().eventually(client::close);
  }
}
