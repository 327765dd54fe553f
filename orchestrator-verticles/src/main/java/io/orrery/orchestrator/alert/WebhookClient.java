package io.orrery.orchestrator.alert;

import io.orrery.core.http.PublicAddresses;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.TrustOptions;
import io.vertx.core.tracing.TracingPolicy;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Sends alerts to receivers that users name: the name of a host is looked up once, the address is
 * checked, and the connection goes to that address and no other. Redirects are not followed,
 * nothing but the status of an answer is read, and each attempt has an end.
 */
final class WebhookClient {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration CONNECTING = Duration.ofSeconds(5);
  private static final int MOST_HEAD = 16 << 10;
  private static final int LOOKUPS = 4;

  private final HttpClient http;
  private final WorkerExecutor lookups;
  private final Predicate<InetAddress> allowed;

  /**
   * @param connections the most at once
   * @param allowed whether an address that is not public may be reached all the same
   */
  WebhookClient(Vertx vertx, int connections, Predicate<InetAddress> allowed) {
    this(vertx, connections, allowed, null);
  }

  /**
   * @param trusted the certificates that are trusted; null for those that Java trusts
   */
  WebhookClient(
      Vertx vertx,
      int connections,
      Predicate<InetAddress> allowed,
      @Nullable TrustOptions trusted) {
    this.http =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setKeepAlive(false)
                .setMaxRedirects(0)
                .setMaxHeaderSize(MOST_HEAD)
                .setTrustOptions(trusted)
                .setVerifyHost(true)
                .setTracingPolicy(TracingPolicy.IGNORE)
                .setName("alerts"),
            new PoolOptions().setHttp1MaxSize(connections).setMaxWaitQueueSize(connections));
    this.lookups = vertx.createSharedWorkerExecutor("alert-lookups", LOOKUPS);
    this.allowed = address -> PublicAddresses.contains(address) || allowed.test(address);
  }

  /** Sends a body; never fails. */
  Future<AlertOutcome> send(Webhook to, String id, String body, Instant now) {
    return lookups
        .executeBlocking(() -> lookUp(to.host()), false)
        .timeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
        .compose(found ->
            found.isEmpty()
                ? Future.succeededFuture(
                    AlertOutcome.failed(
                        "the receiver is in a network that alerts may not go to: an administrator"
                            + " allows networks by alerts.networks"))
                : post(to, found.get(), id, body, now))
        .recover(failure -> Future.succeededFuture(AlertOutcome.failed(words(failure))));
  }

  private Optional<InetAddress> lookUp(String host) throws UnknownHostException {
    for (InetAddress address : InetAddress.getAllByName(host)) {
      if (allowed.test(address)) {
        return Optional.of(address);
      }
    }
    return Optional.empty();
  }

  private Future<AlertOutcome> post(
      Webhook to, InetAddress address, String id, String body, Instant now) {
    RequestOptions options =
        new RequestOptions()
            .setMethod(HttpMethod.POST)
            .setServer(SocketAddress.inetSocketAddress(to.port(), address.getHostAddress()))
            .setHost(to.host())
            .setPort(to.port())
            .setSsl(to.tls())
            .setURI(to.target())
            .setFollowRedirects(false)
            .setConnectTimeout(CONNECTING.toMillis())
            .setIdleTimeout(PATIENCE.toMillis())
            .putHeader("Content-Type", "application/json")
            .putHeader("User-Agent", "Orrery")
            .putHeader("webhook-id", id)
            .putHeader("webhook-timestamp", Long.toString(now.getEpochSecond()))
            .putHeader("webhook-signature", to.signature(id, now, body));
    return http.request(options)
        .compose(request ->
            answer(request, body)
                .timeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .eventually(() -> request.connection().close()));
  }

  private static Future<AlertOutcome> answer(HttpClientRequest request, String body) {
    // The request hears of it as well.
    request.connection().exceptionHandler(failure -> {});
    return request
        .send(Buffer.buffer(body))
        .map(response -> {
          // The connection is closed before the end of the answer.
          response.exceptionHandler(failure -> {});
          return AlertOutcome.answered(response.statusCode());
        });
  }

  /** A sentence without anything of the address. */
  private static String words(Throwable failure) {
    return switch (failure) {
      case UnknownHostException unknown -> "the host of the receiver is not known";
      case TimeoutException late ->
          "the receiver did not answer within " + PATIENCE.toSeconds() + " s";
      case ConnectException refused -> "the receiver took no connection";
      case SSLException untrusted -> "the receiver has no certificate that is trusted";
      default -> "the connection to the receiver broke off";
    };
  }

  Future<?> close() {
    return Future.join(http.close(), lookups.close());
  }
}
