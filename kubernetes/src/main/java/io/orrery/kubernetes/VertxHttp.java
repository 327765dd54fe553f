package io.orrery.kubernetes;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.RequestConfig;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.http.StandardHttpClient;
import io.fabric8.kubernetes.client.http.StandardHttpClientBuilder;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import io.fabric8.kubernetes.client.http.StandardWebSocketBuilder;
import io.fabric8.kubernetes.client.http.TlsVersion;
import io.fabric8.kubernetes.client.http.WebSocket;
import io.fabric8.kubernetes.client.http.WebSocketResponse;
import io.fabric8.kubernetes.client.utils.HttpClientUtils;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.core.http.WebSocketConnectOptions;
import io.vertx.core.net.ClientOptionsBase;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.ProxyOptions;
import io.vertx.core.net.TrustOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import javax.net.ssl.X509KeyManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The library's HTTP on Vert.x: what is sent, who logs in how and whom it trusts is the library's,
 * and the connections are ours. All of a cluster's are on one event loop. WebSockets are opened by
 * {@link #open} alone, not by the library.
 */
public final class VertxHttp
    extends StandardHttpClient<VertxHttp, VertxHttp.Factory, VertxHttp.Builder> {
  private static final Logger LOG = LoggerFactory.getLogger(VertxHttp.class);

  private static final int MOST_CONNECTIONS = 256;
  private static final int UNWELCOME = 400;

  /** Bytes of an answer that are read as one piece: more than the objects of a trial have. */
  private static final int PIECE = 128 << 10;

  private static final String GIVEN_UP = "the caller no longer waits for the answer";
  private static final CharSequence RETRY_AFTER = HttpHeaders.createOptimized("Retry-After");

  private final Wire wire;
  private final List<Interceptor> logins;

  private VertxHttp(Builder builder, AtomicBoolean closed, Wire wire) {
    super(builder, closed);
    this.wire = wire;
    this.logins = List.copyOf(builder.getInterceptors().values());
  }

  /** The connections, which clients that differ in other things share. */
  private record Wire(Context loop, HttpClientAgent client, Upgrades sockets) {}

  /**
   * A factory of clients that share an event loop.
   *
   * @param verifies whether a server must be the one that its certificate names
   * @param quiet how long a server may say nothing before its connection is taken for lost
   */
  record Factory(Vertx vertx, boolean verifies, Duration quiet) implements HttpClient.Factory {
    /** Connects to nothing yet. */
    VertxHttp open(Config config) {
      return (VertxHttp) newBuilder(config).tag(config.getRequestConfig()).build();
    }

    @Override
    public Builder newBuilder() {
      return new Builder(this);
    }
  }

  /** Takes what the library has read of a kubeconfig. */
  static final class Builder extends StandardHttpClientBuilder<VertxHttp, Factory, Builder> {
    private Builder(Factory factory) {
      super(factory);
    }

    @Override
    protected Builder newInstance(Factory factory) {
      return new Builder(factory);
    }

    @Override
    public VertxHttp build() {
      if (client != null) {
        return new VertxHttp(this, client.getClosed(), client.wire);
      }
      Vertx vertx = clientFactory.vertx();
      HttpClientAgent agent =
          vertx
              .httpClientBuilder()
              .with(options())
              .with(new PoolOptions().setHttp1MaxSize(MOST_CONNECTIONS))
              .build();
      WebSocketClientOptions upgraded =
          with(new WebSocketClientOptions()).setVerifyHost(clientFactory.verifies());
      Context loop = vertx.getOrCreateContext();
      Wire wire = new Wire(loop, agent, Upgrades.open(vertx, loop, upgraded));
      return new VertxHttp(this, new AtomicBoolean(), wire);
    }

    private HttpClientOptions options() {
      return with(new HttpClientOptions())
          .setProtocolVersion(HttpVersion.HTTP_1_1)
          .setMaxChunkSize(PIECE)
          .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
          .setReadIdleTimeout((int) clientFactory.quiet().toMillis())
          .setVerifyHost(clientFactory.verifies());
    }

    /** Adds whom connections trust, who they are of, and the proxy on their way. */
    private <O extends ClientOptionsBase> O with(O options) {
      if (connectTimeout != null) {
        options.setConnectTimeout((int) connectTimeout.toMillis());
      }
      if (tlsVersions != null && tlsVersions.length > 0) {
        options.setEnabledSecureTransportProtocols(
            Arrays.stream(tlsVersions)
                .map(TlsVersion::javaName)
                .collect(Collectors.toCollection(LinkedHashSet::new)));
      }
      String named = getTlsServerName();
      if (named != null) {
        options.setSslEngineOptions(new ServerNameEngines(named));
      }
      first(trustManagers, X509TrustManager.class)
          .ifPresent(trust -> options.setTrustOptions(TrustOptions.wrap(trust)));
      first(keyManagers, X509KeyManager.class)
          .ifPresent(keys -> options.setKeyCertOptions(KeyCertOptions.wrap(keys)));
      if (proxyAddress != null && proxyType != HttpClient.ProxyType.DIRECT) {
        options.setProxyOptions(proxy());
      }
      return options;
    }

    private static <T> Optional<T> first(Object @Nullable [] managers, Class<T> type) {
      return managers == null
          ? Optional.empty()
          : Arrays.stream(managers).filter(type::isInstance).map(type::cast).findFirst();
    }

    private ProxyOptions proxy() {
      ProxyOptions proxy =
          new ProxyOptions()
              .setHost(proxyAddress.getHostString())
              .setPort(proxyAddress.getPort())
              .setType(io.vertx.core.net.ProxyType.valueOf(proxyType.name()));
      String[] login = HttpClientUtils.decodeBasicCredentials(proxyAuthorization);
      return login == null ? proxy : proxy.setUsername(login[0]).setPassword(login[1]);
    }
  }

  /**
   * Sends a request, and waits for its whole answer. The library adds the credentials, and logs in
   * anew when they are refused; the rest of its bookkeeping is left out.
   *
   * @param type of the body; null when there is none
   */
  ApiAnswer send(
      String method, URI server, String path, @Nullable String type, Buffer body, Duration patience)
      throws InterruptedException, ExecutionException, TimeoutException {
    RequestOptions options = to(server).setMethod(HttpMethod.valueOf(method)).setURI(path);
    if (type != null) {
      options.putHeader(HttpHeaders.CONTENT_TYPE, type);
    }
    return welcomed(server, options, patience, () -> exchange(options, body, patience));
  }

  /** Adds the credentials to a request, and sends it again after a login that it has led to. */
  private ApiAnswer welcomed(
      URI server, RequestOptions options, Duration patience, Exchange exchange)
      throws InterruptedException, ExecutionException, TimeoutException {
    RequestStamp stamp = new RequestStamp(options.getHeaders());
    StandardHttpRequest asked =
        new StandardHttpRequest(Map.of(), server, options.getMethod().name(), null);
    logins.forEach(login -> login.before(stamp, asked, this));
    ApiAnswer answer = exchange.send();
    if (answer.code() < UNWELCOME) {
      return answer;
    }
    HttpResponse<ApiAnswer> refusal = ApiServerResponse.of(asked, answer);
    for (Interceptor login : logins) {
      if (login
          .afterFailure(stamp, refusal, this)
          .get(patience.toMillis(), TimeUnit.MILLISECONDS)) {
        return exchange.send();
      }
    }
    return answer;
  }

  /** A request with its answer, which may be repeated. */
  private interface Exchange {
    ApiAnswer send() throws InterruptedException, ExecutionException, TimeoutException;
  }

  /**
   * Opens a WebSocket, with the credentials as {@link #send} has them.
   *
   * @param protocols of which the server chooses one
   * @param begun given the socket on the event loop, before anything comes
   * @return {@link Upgrades#SWITCHED}, or the refusal
   */
  ApiAnswer open(
      URI server,
      String path,
      List<String> protocols,
      Duration patience,
      Consumer<io.vertx.core.http.WebSocket> begun)
      throws InterruptedException, ExecutionException, TimeoutException {
    WebSocketConnectOptions options = to(server, new WebSocketConnectOptions());
    options.setSubProtocols(protocols).setMethod(HttpMethod.GET).setURI(path);
    return welcomed(server, options, patience, () -> wire.sockets.open(options, patience, begun));
  }

  private ApiAnswer exchange(RequestOptions options, Buffer body, Duration patience)
      throws InterruptedException, ExecutionException, TimeoutException {
    CompletableFuture<ApiAnswer> answer = new CompletableFuture<>();
    wire.loop.runOnContext(here ->
        begin(options, body, answer)
            .compose(response ->
                response
                    .body()
                    .map(whole ->
                        new ApiAnswer(
                            response.statusCode(), whole, response.getHeader(RETRY_AFTER))))
            .onSuccess(answer::complete)
            .onFailure(answer::completeExceptionally));
    try {
      return answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } finally {
      answer.cancel(false);
    }
  }

  /**
   * Sends a request; not when its answer is given up before there is a connection. Given up later
   * it is reset: nothing else tells the server, and it would hold its connection until that is
   * taken for lost. On the event loop.
   *
   * @param answer fails when it is given up
   */
  private Future<HttpClientResponse> begin(
      RequestOptions options, Buffer body, CompletableFuture<?> answer) {
    if (answer.isDone()) {
      return Future.failedFuture(GIVEN_UP);
    }
    return wire.client
        .request(options)
        .compose(request -> {
          request.exceptionHandler(e -> LOG.debug("could not send a request", e));
          answer.whenComplete((given, failure) -> {
            if (failure != null) {
              request.reset().onFailure(e -> LOG.debug("could not reset a request, it is over", e));
            }
          });
          return answer.isDone() ? Future.failedFuture(GIVEN_UP) : request.send(body);
        });
  }

  @Override
  public CompletableFuture<HttpResponse<AsyncBody>> consumeBytesDirect(
      StandardHttpRequest request, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
    CompletableFuture<HttpResponse<AsyncBody>> answer = new CompletableFuture<>();
    RequestOptions options = options(request);
    RequestConfig patience = getTag(RequestConfig.class);
    if (patience != null && patience.getRequestTimeout() > 0) {
      // Until the answer begins. The caller holds another future than the one from here, and is not
      // told when this one is cancelled.
      options.setTimeout(patience.getRequestTimeout());
    }
    Buffer body =
        request.body() instanceof StandardHttpRequest.StringBodyContent text
            ? Buffer.buffer(text.getContent())
            : Buffer.buffer();
    wire.loop.runOnContext(here ->
        begin(options, body, answer)
            .onSuccess(response -> {
              HttpResponse<AsyncBody> given = ApiServerResponse.of(request, response, consumer);
              if (response.statusCode() < UNWELCOME) {
                answer.complete(given);
              } else {
                // Logging in anew may wait for a program, or for another server.
                Thread.startVirtualThread(() -> answer.complete(given));
              }
            })
            .onFailure(answer::completeExceptionally));
    return answer;
  }

  private RequestOptions options(StandardHttpRequest request) {
    URI uri = request.uri();
    String path = uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
    RequestOptions options =
        to(uri)
            .setMethod(HttpMethod.valueOf(request.method()))
            .setURI(uri.getRawQuery() == null ? path : path + "?" + uri.getRawQuery());
    request.headers().forEach(options.getHeaders()::set);
    if (request.getContentType() != null) {
      options.putHeader(HttpHeaders.CONTENT_TYPE, request.getContentType());
    }
    return options;
  }

  private RequestOptions to(URI server) {
    return to(server, new RequestOptions());
  }

  private <O extends RequestOptions> O to(URI server, O options) {
    boolean secure = "https".equals(server.getScheme());
    int port = server.getPort() >= 0 ? server.getPort() : secure ? 443 : 80;
    options
        .setHost(server.getHost())
        .setPort(port)
        .setSsl(secure)
        .setHeaders(HttpHeaders.headers());
    return options;
  }

  @Override
  public CompletableFuture<WebSocketResponse> buildWebSocketDirect(
      StandardWebSocketBuilder builder, WebSocket.Listener listener) {
    return CompletableFuture.failedFuture(
        new UnsupportedOperationException("none for the library"));
  }

  @Override
  protected void doClose() {
    wire.client.close();
    wire.sockets.close();
  }
}
