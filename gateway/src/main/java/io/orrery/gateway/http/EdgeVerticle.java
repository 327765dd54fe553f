package io.orrery.gateway.http;

import io.orrery.core.http.HeadFault;
import io.orrery.core.http.StrictRequests;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.text.UrlPath;
import io.orrery.core.time.Clock;
import io.orrery.core.tls.CertificateWatch;
import io.orrery.core.tls.TlsMaterial;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Listens on the one port of the product and hands each request to the {@link Api} that knows its
 * path. Deploy it once: its parts keep what waits (long polls, followed logs) on one event loop.
 *
 * <p>With TLS it listens twice: on that port for all clients, and without TLS at 127.0.0.1 for the
 * programs of this machine.
 *
 * <p>The deployment succeeds when the port is bound, and fails with the reason when it cannot be.
 */
public final class EdgeVerticle extends VerticleBase implements Listeners {
  private static final int HANDSHAKE_SECONDS = 5;
  private static final int MAX_HEADER_BYTES = 16 * 1024;
  private static final int MAX_REQUEST_LINE_BYTES = 8 * 1024;
  private static final long FAREWELL_SECONDS = 5;
  private static final String LOCAL = "127.0.0.1";

  private final EdgeOptions options;
  private final List<Api> parts;
  private final OriginGuard guard;
  private final Admission admission;
  private final Guard permission;
  private final ConnectionWatch watch;
  private final AtomicLong accepted = new AtomicLong();
  private final Clock clock;
  private final List<HttpServer> servers = new ArrayList<>();
  private final Map<Integer, HttpServer> besides = new HashMap<>();
  private @Nullable TlsMaterial certificates;
  private @Nullable CertificateWatch renewals;
  private Handler<HttpServerRequest> routes = request -> {};
  private List<Served> table = List.of();
  private PathPrefix prefix = new PathPrefix(BehindProxy.NONE, Set.of());

  /**
   * @param parts in the order in which their routes are tried: the busiest first
   * @param admission who may ask for anything
   * @param permission what they may ask for
   */
  public EdgeVerticle(
      EdgeOptions options, List<Api> parts, Admission admission, Guard permission, Clock clock) {
    this.options = options;
    this.parts = List.copyOf(parts);
    this.guard = new OriginGuard(options.allowedHosts(), options.advertisedOrigin());
    this.admission = admission;
    this.permission = permission;
    this.clock = clock;
    this.watch = new ConnectionWatch(clock, options.idle());
  }

  /** The port that is bound; IllegalStateException before the deployment has succeeded. */
  public int actualPort() {
    return bound(0).actualPort();
  }

  /** The port where this machine is served plain HTTP: the same one, unless that speaks TLS. */
  public int localPort() {
    return bound(options.tls() == null ? 0 : 1).actualPort();
  }

  /** How many connections have come, those that were closed at once included. */
  public long accepted() {
    return accepted.get();
  }

  private HttpServer bound(int index) {
    if (servers.size() <= index) {
      throw new IllegalStateException("the edge does not listen yet");
    }
    return servers.get(index);
  }

  /** The certificates of the port; null without TLS, and before the deployment. */
  public @Nullable TlsMaterial certificates() {
    return certificates;
  }

  /** Everything that is served; empty before the deployment. */
  public List<Served> table() {
    return table;
  }

  @Override
  public Future<?> start() {
    ApiRouter router = new ApiRouter(vertx, permission);
    parts.forEach(part -> part.mount(router));
    table = router.table();
    prefix = new PathPrefix(options.proxy(), firstSteps(table));
    routes = router.seal();
    TlsFiles tls = options.tls();
    Future<HttpServer> listening =
        tls == null
            ? listen(limits(), options.port(), options.host()).onSuccess(servers::add)
            : read(tls)
                .compose(read -> listen(secured(read), options.port(), options.host()))
                .onSuccess(servers::add)
                .compose(bound -> listen(limits(), tls.localPort(), LOCAL))
                .onSuccess(servers::add);
    return listening.onSuccess(bound -> {
      watch.start();
      parts.forEach(part -> part.listening(this));
    });
  }

  private Future<TlsMaterial> read(TlsFiles tls) {
    return vertx
        .executeBlocking(() -> TlsMaterial.read(tls.pem()))
        .onSuccess(read -> {
          certificates = read;
          renewals = CertificateWatch.start(vertx, clock, read, () -> {});
        });
  }

  private Future<HttpServer> listen(HttpServerOptions http, int port, String host) {
    return vertx
        .createHttpServer(http)
        .connectionHandler(this::opened)
        .invalidRequestHandler(EdgeVerticle::refuseUnreadable)
        .requestHandler(this::accept)
        .listen(port, host);
  }

  private void opened(HttpConnection connection) {
    accepted.incrementAndGet();
    if (!watch.hasRoom(options.maxConnections())) {
      connection.close();
      return;
    }
    watch.opened(connection);
    StrictRequests.watch(connection);
    Runnable used = () -> watch.used(connection);
    parts.forEach(part -> part.opened(connection, used));
  }

  @Override
  public int own() {
    return actualPort();
  }

  @Override
  public Future<Void> open(int port) {
    return bind(port).onSuccess(server -> besides.put(port, server)).mapEmpty();
  }

  @Override
  public Future<Void> probe(int port) {
    return bind(port).compose(HttpServer::close);
  }

  private Future<HttpServer> bind(int port) {
    TlsMaterial tls = certificates;
    return listen(tls == null ? limits() : secured(tls), port, options.host())
        .recover(e ->
            Future.failedFuture(
                new Problem.Conflict("port " + port + " cannot be had: " + e.getMessage())
                    .toException()));
  }

  @Override
  public Future<Void> close(int port) {
    HttpServer server = besides.remove(port);
    return server == null
        ? Future.succeededFuture()
        : server.shutdown(FAREWELL_SECONDS, TimeUnit.SECONDS);
  }

  private static HttpServerOptions limits() {
    return new HttpServerOptions()
        .setHttp2ClearTextEnabled(false)
        .setMaxHeaderSize(MAX_HEADER_BYTES)
        .setMaxWebSocketFrameSize(EdgeOptions.MOST_MESSAGE_BYTES)
        .setMaxWebSocketMessageSize(EdgeOptions.MOST_MESSAGE_BYTES)
        .setMaxInitialLineLength(MAX_REQUEST_LINE_BYTES)
        // To offer compression of frames costs every request a look, and every stream a window.
        .setPerFrameWebSocketCompressionSupported(false)
        .setPerMessageWebSocketCompressionSupported(false);
  }

  private static HttpServerOptions secured(TlsMaterial tls) {
    // A connection counts from the end of its handshake on: until then, this bounds it.
    HttpServerOptions secured =
        limits()
            .setSsl(true)
            .setSslHandshakeTimeout(HANDSHAKE_SECONDS)
            .setKeyCertOptions(tls.keyCertOptions());
    if (tls.hasAuthority()) {
      secured.setClientAuth(ClientAuth.REQUEST).setTrustOptions(tls.trustOptions());
    }
    return secured;
  }

  @Override
  public Future<?> stop() {
    watch.stop();
    if (renewals != null) {
      renewals.close();
    }
    // Before anything ends: a client whose stream is ended comes back at once, and must find the
    // port closed.
    Future<?> closed =
        Future.join(
            Stream.concat(servers.stream(), besides.values().stream())
                .map(server -> server.shutdown(FAREWELL_SECONDS, TimeUnit.SECONDS))
                .toList());
    parts.forEach(Api::close);
    return closed;
  }

  private void accept(HttpServerRequest received) {
    watch.busy(received);
    SecurityHeaders.on(received.response());
    try {
      checkHost(received);
      checkEscapes(received.uri());
      HttpServerRequest request = prefix.read(received);
      String withSlash = PathPrefix.withSlash(request);
      if (withSlash != null) {
        redirect(request, withSlash);
      } else if (admission.admit(request)) {
        checkSteps(request.path());
        routes.handle(request);
      }
    } catch (ProblemException refused) {
      ProblemWriter.write(received.response(), refused.problem());
    }
  }

  private static void redirect(HttpServerRequest request, String address) {
    request
        .response()
        .setStatusCode(308)
        .putHeader(HttpHeaders.LOCATION, address)
        .putHeader(HttpHeaders.CONTENT_LENGTH, "0")
        .end();
  }

  /** Of {@code /api/v1/experiments} the step {@code api}; a step that is a parameter counts not. */
  private static Set<String> firstSteps(List<Served> table) {
    return table.stream()
        .map(served -> served.path().split("/", -1)[1])
        .filter(step -> !step.isEmpty() && !step.startsWith(":"))
        .collect(Collectors.toUnmodifiableSet());
  }

  /** One that is not for us, or not readable, is the last of its connection. */
  private void checkHost(HttpServerRequest request) {
    try {
      guard.check(request);
    } catch (ProblemException refused) {
      if (refused.problem() instanceof Problem.Refused) {
        endWith(request);
        ProblemWriter.write(request.response(), refused.problem());
        request.connection().close();
      }
      throw refused;
    }
  }

  /** Checked once for path and query, so that no decoder further in meets half an escape. */
  private static void checkEscapes(String uri) {
    for (int at = uri.indexOf('%'); at >= 0; at = uri.indexOf('%', at + 1)) {
      if (at + 2 >= uri.length()
          || Character.digit(uri.charAt(at + 1), 16) < 0
          || Character.digit(uri.charAt(at + 2), 16) < 0) {
        throw new Problem.Refused(
                new Finding(
                    "", "in an address, a percent sign is followed by two hexadecimal digits"))
            .toException();
      }
    }
  }

  /**
   * In our own API an empty id, or one that is a dot or two, would lead to another address: to the
   * list, which is not what was asked for. NNI's clients may end an address as they always did, and
   * a directory of files may end in a slash.
   */
  private static void checkSteps(@Nullable String path) {
    if (path == null
        || !path.startsWith(ApiRouter.V1 + "/")
        || path.startsWith(ApiRouter.V1 + "/nni/")) {
      return;
    }
    String end = path.startsWith(ApiRouter.V1 + "/files/") ? "" : "/";
    if ((path + end).contains("//") || UrlPath.hasDotSegments(path)) {
      throw new Problem.NotFound(
              "Nothing is at this address: a part of it is empty or dots, where an id belongs.")
          .toException();
    }
  }

  /**
   * Refuses a head that cannot be read and ends its connection: where the next begins is unknown.
   */
  private static void refuseUnreadable(HttpServerRequest request) {
    HeadFault fault =
        HeadFault.of(request.decoderResult().cause(), MAX_REQUEST_LINE_BYTES, MAX_HEADER_BYTES);
    SecurityHeaders.on(request.response());
    endWith(request);
    if (fault.status() == 400) {
      ProblemWriter.write(request.response(), new Problem.Refused(fault.detail(), List.of()));
    } else {
      ProblemWriter.write(
          request.response(), fault.status(), fault.kind(), fault.title(), fault.detail());
    }
    request.connection().close();
  }

  /** Makes the answer to a request the last one of its connection, and reads no further. */
  private static void endWith(HttpServerRequest request) {
    StrictRequests.end(request.connection());
    request.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
  }
}
