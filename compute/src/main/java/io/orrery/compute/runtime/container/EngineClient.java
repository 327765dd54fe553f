package io.orrery.compute.runtime.container;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.core.time.Clock;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.SocketAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A client of the Docker Engine API on a Unix socket, on one event loop. It speaks the version that
 * the engine names, at most {@value #NEWEST_MINOR} of version 1. Failures are {@link
 * EngineException}s with a sentence. Thread safe.
 *
 * @see <a href="https://docs.docker.com/reference/api/engine/">Docker Engine API</a>
 */
final class EngineClient {
  private static final int NEWEST_MINOR = 44;
  private static final String PREFIX = "/v1.";
  private static final String NEWEST = PREFIX + NEWEST_MINOR;
  private static final int CALLS = 16;

  /** Shorter than that of Podman, which is 10 s when a socket has started it. */
  private static final int KEEP_ALIVE_SECONDS = 5;

  private static final int STREAMS = 10_000;
  private static final int FIRST_ERROR = 400;
  private static final Pattern OWN_VERSION = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){1,2}");
  private static final Pattern VERSION = Pattern.compile("1\\.(\\d{1,3})");
  private static final Duration PING = Duration.ofSeconds(5);

  /** The pause before an engine is asked again that has not answered. */
  private static final Duration PAUSE = Duration.ofSeconds(2);

  private final ContainerCluster cluster;
  private final Clock clock;
  private final Vertx vertx;
  private final Context context;
  private final HttpClient calls;
  private final HttpClient streams;
  private final NetClient sockets;
  private volatile @Nullable String version;
  private volatile @Nullable String podman;
  private volatile @Nullable EngineException silence;
  private volatile Instant askAgainAt = Instant.EPOCH;

  EngineClient(Vertx vertx, ContainerCluster cluster, Clock clock) {
    this.cluster = cluster;
    this.clock = clock;
    this.vertx = vertx;
    this.context = vertx.getOrCreateContext();
    this.calls =
        vertx.createHttpClient(
            new HttpClientOptions().setKeepAliveTimeout(KEEP_ALIVE_SECONDS),
            new PoolOptions().setHttp1MaxSize(CALLS));
    // Kept alive: the end of an answer is lost when its connection closes while it is paused.
    this.streams =
        vertx.createHttpClient(
            new HttpClientOptions().setKeepAliveTimeout(KEEP_ALIVE_SECONDS),
            new PoolOptions().setHttp1MaxSize(STREAMS));
    this.sockets = vertx.createNetClient(new NetClientOptions());
  }

  /** A value as part of a query. */
  static String encoded(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8);
  }

  /** Asks for the version, which shows that the engine answers. */
  Future<Void> ping() {
    return sent(
            calls,
            HttpMethod.GET,
            "/_ping",
            null,
            null,
            PING,
            response -> {
              Matcher newest =
                  VERSION.matcher(
                      Objects.requireNonNullElse(response.getHeader("Api-Version"), ""));
              int minor = newest.matches() ? Integer.parseInt(newest.group(1)) : NEWEST_MINOR;
              String own = response.getHeader("Libpod-API-Version");
              podman = own == null || !OWN_VERSION.matcher(own).matches() ? null : own;
              version = PREFIX + Math.min(minor, NEWEST_MINOR);
              return response.body();
            })
        .mapEmpty();
  }

  /**
   * Calls a method.
   *
   * @param path with the query, without the version
   * @param body null for none
   * @param limit of the time without an answer
   * @return the body of the answer; a missing node when that is empty
   */
  Future<JsonNode> call(HttpMethod method, String path, @Nullable JsonNode body, Duration limit) {
    return versioned()
        .compose(prefix ->
            sent(calls, method, prefix + path, body, null, limit, HttpClientResponse::body))
        .map(EngineClient::json);
  }

  /**
   * Calls a method of Podman's own API.
   *
   * @param path without the version and {@code /libpod}
   */
  Future<JsonNode> callPodman(
      HttpMethod method, String path, @Nullable JsonNode body, Duration limit) {
    return callPodman(method, path, body, null, limit);
  }

  /**
   * The same with a login at a registry.
   *
   * @param login the value of {@code X-Registry-Auth}; null for none
   */
  Future<JsonNode> callPodman(
      HttpMethod method,
      String path,
      @Nullable JsonNode body,
      @Nullable String login,
      Duration limit) {
    return versioned()
        .compose(prefix ->
            sent(
                calls,
                method,
                "/v" + podman + "/libpod" + path,
                body,
                login,
                limit,
                HttpClientResponse::body))
        .map(EngineClient::json);
  }

  /** Whether the engine is Podman, once it has answered. */
  Future<Boolean> isPodman() {
    return versioned().map(prefix -> podman != null);
  }

  /**
   * Opens an answer that is read piece by piece. It comes paused, on the client's event loop, where
   * the consumer must stay.
   */
  Future<HttpClientResponse> open(HttpMethod method, String path) {
    return open(method, path, null);
  }

  /**
   * The same with a login at a registry.
   *
   * @param login the value of {@code X-Registry-Auth}; null for none
   */
  Future<HttpClientResponse> open(HttpMethod method, String path, @Nullable String login) {
    return versioned()
        .compose(prefix ->
            sent(
                streams,
                method,
                prefix + path,
                null,
                login,
                Duration.ZERO,
                response -> {
                  response.pause();
                  return Future.succeededFuture(response);
                }));
  }

  /** A connection for a request that is written by hand, because it takes the connection over. */
  Future<NetSocket> connect() {
    Promise<NetSocket> result = Promise.promise();
    context.runOnContext(go ->
        sockets
            .connect(SocketAddress.domainSocketAddress(cluster.socket().toString()))
            .onComplete(result));
    return result.future();
  }

  /** The beginning of paths, once the engine has answered. */
  String prefix() {
    return Objects.requireNonNullElse(version, NEWEST);
  }

  /** Does what blocks on a thread for that. */
  Future<Void> blocking(Callable<@Nullable Void> work) {
    return vertx.executeBlocking(work, false).mapEmpty();
  }

  private Future<String> versioned() {
    String known = version;
    if (known != null) {
      return Future.succeededFuture(known);
    }
    EngineException last = silence;
    return last != null && clock.now().isBefore(askAgainAt)
        ? Future.failedFuture(last)
        : ping().map(pinged -> Objects.requireNonNullElse(version, NEWEST));
  }

  private <T> Future<T> sent(
      HttpClient client,
      HttpMethod method,
      String uri,
      @Nullable JsonNode body,
      @Nullable String login,
      Duration limit,
      Function<HttpClientResponse, Future<T>> read) {
    RequestOptions options =
        new RequestOptions()
            .setServer(SocketAddress.domainSocketAddress(cluster.socket().toString()))
            .setHost("localhost")
            .setMethod(method)
            .setURI(uri)
            .setConnectTimeout(PING.toMillis())
            .setIdleTimeout(limit.toMillis());
    Promise<T> answer = Promise.promise();
    context.runOnContext(go ->
        client
            .request(options)
            .compose(request -> {
              if (login != null) {
                request.putHeader("X-Registry-Auth", login);
              }
              Buffer content = body == null ? Buffer.buffer() : Buffer.buffer(Json.write(body));
              if (body != null) {
                request.putHeader("Content-Type", "application/json");
              }
              return request.send(content);
            })
            .compose(response ->
                response.statusCode() < FIRST_ERROR
                    ? read.apply(response)
                    : response
                        .body()
                        .compose(text ->
                            Future.failedFuture(
                                new EngineException(response.statusCode(), message(text)))))
            .recover(failure -> Future.failedFuture(failed(failure)))
            .onComplete(answer));
    return answer.future();
  }

  private Throwable failed(Throwable failure) {
    if (failure instanceof EngineException) {
      return failure;
    }
    EngineException silent =
        new EngineException(
            EngineException.SILENT,
            "%s does not answer: %s".formatted(cluster.engine(), failure.getMessage()));
    silence = silent;
    askAgainAt = clock.now().plus(PAUSE);
    // Another engine may answer next.
    version = null;
    return silent;
  }

  private static String message(Buffer text) {
    String message = json(text).path("message").asText();
    return message.isEmpty() ? text.toString().strip() : message;
  }

  private static JsonNode json(Buffer text) {
    String content = text.toString().strip();
    return content.startsWith("{") || content.startsWith("[")
        ? Json.parse(content)
        : Json.MAPPER.missingNode();
  }

  /** Ends all that is under way. */
  Future<Void> close() {
    return calls.close().eventually(streams::close).eventually(sockets::close);
  }
}
