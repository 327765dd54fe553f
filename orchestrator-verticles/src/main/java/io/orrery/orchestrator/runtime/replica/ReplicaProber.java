package io.orrery.orchestrator.runtime.replica;

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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends probes to replicas, each on a connection of its own, on one event loop. Closed with the
 * runtime.
 */
public final class ReplicaProber {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicaProber.class);

  private static final int LAST_GOOD = 399;
  private static final int FIRST_GOOD = 200;

  /** Of one address; probes of a replica follow each other. */
  private static final int CONNECTIONS = 2;

  private final Context context;
  private final HttpClient http;
  private final NetClient tcp;

  /** On the event loop alone. */
  private boolean closed;

  /** A prober on an event loop of its own choice. */
  public ReplicaProber(Vertx vertx) {
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
  public Future<Void> send(Probe probe, String host, int port) {
    Promise<Void> result = Promise.promise();
    context.runOnContext(now -> {
      if (closed) {
        result.fail(new Unready("the server is closing", false));
        return;
      }
      (probe.path() == null ? connect(probe, host, port) : get(probe, probe.path(), host, port))
          .onSuccess(good -> result.complete())
          .onFailure(e -> result.fail(new Unready(sentence(probe, port, e), e instanceof Unready)));
    });
    return result.future();
  }

  /** A replica that is not ready, with the reason. */
  public static final class Unready extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean answered;

    Unready(String message, boolean answered) {
      super(message, null, false, false);
      this.answered = answered;
    }

    /** Whether its program answered, only not as it should. */
    public boolean answered() {
      return answered;
    }
  }

  private Future<Void> connect(Probe probe, String host, int port) {
    return tcp.connect(port, host)
        .timeout(millis(probe), TimeUnit.MILLISECONDS)
        .compose(socket -> socket.exceptionHandler(ReplicaProber::ignore).close());
  }

  private Future<Void> get(Probe probe, String path, String host, int port) {
    RequestOptions options =
        new RequestOptions()
            .setMethod(HttpMethod.GET)
            .setHost(host)
            .setPort(port)
            .setURI(path)
            .setConnectTimeout(millis(probe))
            .setIdleTimeout(millis(probe))
            .setTimeout(millis(probe));
    return http.request(options)
        .compose(request -> {
          // A program that ends resets its connections; the probe has its own failure.
          request.connection().exceptionHandler(ReplicaProber::ignore);
          return request
              .send()
              .timeout(millis(probe), TimeUnit.MILLISECONDS)
              .compose(response ->
                  response.statusCode() >= FIRST_GOOD && response.statusCode() <= LAST_GOOD
                      ? Future.<Void>succeededFuture()
                      : Future.failedFuture(
                          new Unready("it answered " + response.statusCode(), true)))
              .eventually(() -> request.connection().close());
        });
  }

  private static void ignore(Throwable reset) {
    LOG.trace("dropping the failure of a connection: {}", reset.toString());
  }

  private static long millis(Probe probe) {
    return Math.max(1, probe.timeout().toMillis());
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

  /** Takes no more probes, and closes connections. */
  public Future<Void> close() {
    Promise<Void> result = Promise.promise();
    context.runOnContext(now -> {
      closed = true;
      http.close().eventually(tcp::close).onComplete(result);
    });
    return result.future();
  }
}
