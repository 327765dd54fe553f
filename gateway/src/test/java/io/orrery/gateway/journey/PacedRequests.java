package io.orrery.gateway.journey;

import static org.awaitility.Awaitility.await;

import io.orrery.core.http.ClientVertx;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import java.net.URI;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Asks a service so many times a second, whether answers have come or not, as long as no more than
 * some are missing. What is no answer 200 is kept.
 */
final class PacedRequests implements AutoCloseable {
  private static final int CONNECTIONS = 64;
  private static final int MOST_UNDER_WAY = 256;
  private static final long PAUSE_MILLIS = 5;
  private static final double NANOS_PER_SECOND = 1e9;

  private final Vertx vertx = ClientVertx.create();
  private final HttpClient http =
      vertx.createHttpClient(
          new HttpClientOptions().setConnectTimeout(10_000),
          new PoolOptions().setHttp1MaxSize(CONNECTIONS));
  private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
  private final AtomicInteger answers = new AtomicInteger();
  private final AtomicInteger underWay = new AtomicInteger();
  private final int rate;
  private final RequestOptions request;
  private final long begun = System.nanoTime();
  private final long timer;
  private long sent;
  private volatile long ended;

  /**
   * @param rate requests a second
   */
  PacedRequests(int rate, URI url) {
    this.rate = rate;
    this.request =
        new RequestOptions()
            .setMethod(HttpMethod.GET)
            .setServer(SocketAddress.inetSocketAddress(url.getPort(), "127.0.0.1"))
            .setHost(url.getHost())
            .setPort(url.getPort())
            .setURI("/");
    this.timer = vertx.setPeriodic(PAUSE_MILLIS, tick -> send());
  }

  private void send() {
    long due = (long) ((System.nanoTime() - begun) / NANOS_PER_SECOND * rate);
    for (; sent < due && underWay.get() < MOST_UNDER_WAY; sent++) {
      underWay.incrementAndGet();
      http.request(request)
          .compose(asked -> asked.send())
          .compose(response ->
              response
                  .body()
                  .map(body ->
                      response.statusCode() == 200
                          ? ""
                          : response.statusCode() + " " + body.toString().strip()))
          .onSuccess(fault -> {
            answers.incrementAndGet();
            if (!fault.isEmpty()) {
              failures.add(fault);
            }
          })
          .onFailure(failure -> failures.add(failure.toString()))
          .onComplete(done -> underWay.decrementAndGet());
    }
  }

  Collection<String> failures() {
    return List.copyOf(failures);
  }

  int answers() {
    return answers.get();
  }

  /** Answers a second, from the first request to the end. */
  double rate() {
    return answers.get() / (((ended == 0 ? System.nanoTime() : ended) - begun) / NANOS_PER_SECOND);
  }

  @Override
  public void close() {
    if (ended == 0) {
      ended = System.nanoTime();
      vertx.cancelTimer(timer);
      await().atMost(ServiceJourney.PATIENCE).until(() -> underWay.get() == 0);
      http.close()
          .eventually(vertx::close)
          .toCompletionStage()
          .toCompletableFuture()
          .orTimeout(10, TimeUnit.SECONDS)
          .join();
    }
  }
}
