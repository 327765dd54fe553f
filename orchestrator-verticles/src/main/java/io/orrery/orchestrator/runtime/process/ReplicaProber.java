package io.orrery.orchestrator.runtime.process;

import io.orrery.core.workload.Probe;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import java.util.concurrent.TimeUnit;

/**
 * Sends probes to replicas, each on a connection of its own, on one event loop. Closed with the
 * runtime.
 */
final class ReplicaProber {
  private static final int LAST_GOOD = 399;
  private static final int FIRST_GOOD = 200;

  /** Of one address; probes of a replica follow each other. */
  private static final int CONNECTIONS = 2;

  private final Context context;
  private final HttpClient http;
  private final NetClient tcp;

  ReplicaProber(Vertx vertx) {
    this.context = vertx.getOrCreateContext();
    this.http =
        vertx.createHttpClient(
            new HttpClientOptions().setKeepAlive(false).setMaxRedirects(0),
            new PoolOptions().setHttp1MaxSize(CONNECTIONS));
    this.tcp = vertx.createNetClient(new NetClientOptions());
  }

  /**
   * Sends a probe.
   *
   * @param host an address, without brackets
   * @return fails with the sentence that says why the replica is not ready
   */
  Future<Void> send(Probe probe, String host, int port) {
    Promise<Void> result = Promise.promise();
    context.runOnContext(now ->
        (probe.path() == null ? connect(probe, host, port) : get(probe, probe.path(), host, port))
            .onSuccess(good -> result.complete())
            .onFailure(e -> result.fail(new Unready(sentence(probe, port, e)))));
    return result.future();
  }

  /** A replica that is not ready, with the reason. */
  static final class Unready extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Unready(String message) {
      super(message, null, false, false);
    }
  }

  private Future<Void> connect(Probe probe, String host, int port) {
    return tcp.connect(port, host)
        .timeout(probe.timeout().toMillis(), TimeUnit.MILLISECONDS)
        .compose(socket -> socket.close());
  }

  private Future<Void> get(Probe probe, String path, String host, int port) {
    RequestOptions options =
        new RequestOptions()
            .setMethod(HttpMethod.GET)
            .setHost(host)
            .setPort(port)
            .setURI(path)
            .setConnectTimeout(probe.timeout().toMillis())
            .setIdleTimeout(probe.timeout().toMillis())
            .setTimeout(probe.timeout().toMillis());
    return http.request(options)
        .compose(request ->
            request
                .send()
                .timeout(probe.timeout().toMillis(), TimeUnit.MILLISECONDS)
                .compose(response ->
                    response.statusCode() >= FIRST_GOOD && response.statusCode() <= LAST_GOOD
                        ? Future.<Void>succeededFuture()
                        : Future.failedFuture(new Unready("it answered " + response.statusCode())))
                .eventually(() -> request.connection().close()));
  }

  private static String sentence(Probe probe, int port, Throwable e) {
    String text = String.valueOf(e.getMessage());
    String why =
        e instanceof Unready
            ? text
            : text.contains("refused")
                ? "nothing listens there"
                : text.contains("timeout") || text.contains("Timeout") || text.contains("timed out")
                    ? "no answer within " + probe.timeout().toMillis() + " ms"
                    : text;
    return probe.path() == null
        ? "no connection to port %d: %s".formatted(port, why)
        : "GET %s on port %d: %s".formatted(probe.path(), port, why);
  }

  Future<Void> close() {
    return http.close().eventually(tcp::close);
  }
}
