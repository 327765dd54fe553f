package io.orrery.router.proxy;

import static java.util.concurrent.TimeUnit.SECONDS;

import io.orrery.core.access.OriginPasses;
import io.orrery.core.http.ClientVertx;
import io.orrery.router.route.RouteReader;
import io.orrery.router.route.RouteTable;
import io.orrery.router.route.RouterFile;
import io.orrery.router.run.Router;
import io.orrery.router.telemetry.Exposition;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ArgumentsSource;

/**
 * The fixture of every test of the running router: the router, a client, servers behind it. Each
 * runs on both ways that a request may take.
 */
@ParameterizedClass(name = "{0}")
@ArgumentsSource(AlsoOverTls.Ways.class)
abstract class RouterIT {
  static final String DOMAIN = "orrery.localhost";

  @Parameter Way way;

  /** Whether requests are forwarded as bytes. */
  boolean fastPath;

  Vertx vertx;
  HttpClient client;
  Router router;
  private final List<AutoCloseable> open = new ArrayList<>();

  @BeforeEach
  void open() {
    fastPath = way.fastPath();
    vertx = Vertx.vertx();
    client =
        vertx.createHttpClient(
            speaking(new HttpClientOptions()).setMaxChunkSize(128 * 1024),
            new PoolOptions().setHttp1MaxSize(64));
  }

  @AfterEach
  void close() throws Exception {
    client.close().await(5, SECONDS);
    for (AutoCloseable each : open) {
      each.close();
    }
    if (router != null) {
      router.close();
    }
    vertx.close().await(5, SECONDS);
  }

  /** The options of a client of this way. */
  HttpClientOptions speaking(HttpClientOptions options) {
    return way.overTls()
        ? options.setSsl(true).setTrustAll(true).setVerifyHost(false).setUseAlpn(true)
        : options;
  }

  /** A client of this way that speaks by hand. */
  RawClient raw() throws IOException {
    return RawClient.to(router.port(), way);
  }

  <T extends AutoCloseable> T opened(T closeable) {
    open.add(closeable);
    return closeable;
  }

  /** Starts a router with the services of a table; its lines as under {@code services:}. */
  void route(String services) {
    route(services, 1);
  }

  void route(String services, int loops) {
    router =
        Router.start(
            new RouterFile.Listen(
                new RouterFile.Address("127.0.0.1", 0), loops, way.certificates(), fastPath, false),
            table(services),
            null,
            null,
            passes(),
            null);
  }

  /** The passes of guarded services. */
  OriginPasses passes() {
    return OriginPasses.unknown();
  }

  static RouteTable table(String services) {
    return RouteReader.read("services:\n" + services, DOMAIN);
  }

  /** A request for a host, through the router. */
  RequestOptions to(HttpMethod method, String host, String uri) {
    return new RequestOptions()
        .setServer(SocketAddress.inetSocketAddress(router.port(), "127.0.0.1"))
        .setHost(host.contains(".") ? host : host + ".service." + DOMAIN)
        .setPort(way.overTls() ? 443 : 80)
        .setMethod(method)
        .setURI(uri);
  }

  /** Status and body of a GET. */
  Answer get(String host, String uri) throws Exception {
    return send(to(HttpMethod.GET, host, uri), null);
  }

  Answer send(RequestOptions options, Buffer body) throws Exception {
    return ask(client, options, body).await(20, SECONDS);
  }

  /**
   * Sends a request and gathers the answer.
   *
   * @param body null for none
   */
  Future<Answer> ask(HttpClient from, RequestOptions options, Buffer body) {
    return ClientVertx.onLoop(
        vertx,
        () ->
            from.request(options)
                .compose(request -> body == null ? request.send() : request.send(body))
                .compose(response -> response.body().map(whole -> new Answer(response, whole))));
  }

  record Answer(HttpClientResponse response, Buffer body) {
    int status() {
      return response.statusCode();
    }

    String text() {
      return body.toString();
    }
  }

  /** The value of the metric whose line begins so; 0 when there is none. */
  double metric(String series) {
    Exposition out = new Exposition();
    router.meters().expose(out);
    return out.toString()
        .lines()
        .filter(line -> line.startsWith(series))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }
}
