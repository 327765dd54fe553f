package io.orrery.router.health;

import io.orrery.router.route.HealthCheck;
import io.orrery.router.route.Service;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the endpoints of services that have a health check, each on a connection of its own: one
 * that accepts connections no longer must not pass for well. Lives on one event loop.
 */
public final class Prober {
  private static final Logger LOG = LoggerFactory.getLogger(Prober.class);

  /** Within which every endpoint of a new table is asked for the first time. */
  private static final long SOON = TimeUnit.MILLISECONDS.toNanos(500);

  private final HttpClientAgent http1;
  private final HttpClientAgent h2c;
  private final LongSupplier nanos;
  private final RandomGenerator random;
  private Map<EndpointState, Round> rounds = new HashMap<>();

  /**
   * @param nanos the time, for those that come back
   * @param random spreads the first probes over the interval
   */
  public Prober(Vertx vertx, LongSupplier nanos, RandomGenerator random) {
    this.http1 = vertx.createHttpClient(new HttpClientOptions().setKeepAlive(false));
    this.h2c =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setHttp2ClearTextUpgrade(false));
    this.nanos = nanos;
    this.random = random;
  }

  /** From now on asks the endpoints of this table; those that stay keep their counts. */
  public void watch(LiveTable table) {
    Map<EndpointState, Round> next = new HashMap<>();
    long now = nanos.getAsLong();
    for (ServiceState state : table.states()) {
      HealthCheck check = state.service().health();
      for (EndpointState endpoint : state.endpoints()) {
        if (check == null) {
          endpoint.probed(true, now);
          continue;
        }
        Round old = rounds.get(endpoint);
        if (old != null && old.check.equals(check)) {
          next.put(endpoint, old);
        } else {
          long spread = (long) (random.nextDouble() * check.interval().toNanos());
          next.put(endpoint, new Round(endpoint, check, now + Math.min(spread, SOON)));
        }
      }
    }
    rounds = next;
  }

  /** Asks those whose turn it is; called often. */
  public void tick() {
    long now = nanos.getAsLong();
    for (Round round : rounds.values()) {
      if (!round.asking && now - round.due >= 0) {
        round.due = now + round.check.interval().toNanos();
        round.ask();
      }
    }
  }

  /** Completes when its connections are closed. */
  public Future<Void> close() {
    rounds = Map.of();
    return Future.join(http1.close(), h2c.close()).mapEmpty();
  }

  /** The probes of one endpoint. */
  private final class Round {
    private final EndpointState endpoint;
    private final HealthCheck check;
    private long due;
    private boolean asking;
    private int good;
    private int bad;

    Round(EndpointState endpoint, HealthCheck check, long due) {
      this.endpoint = endpoint;
      this.check = check;
      this.due = due;
    }

    void ask() {
      asking = true;
      HttpClientAgent client = endpoint.protocol() == Service.Protocol.H2C ? h2c : http1;
      long patience = check.timeout().toMillis();
      client
          .connect(EndpointConnect.to(endpoint, check.timeout()))
          .compose(connection ->
              connection
                  .request(new RequestOptions().setMethod(HttpMethod.GET).setURI(check.path()))
                  .compose(request -> request.send())
                  .compose(response -> response.end().map(end -> response.statusCode()))
                  .timeout(Math.max(1, patience), TimeUnit.MILLISECONDS)
                  .onComplete(done -> connection.close()))
          .onComplete(answer -> {
            asking = false;
            heard(answer.succeeded() && answer.result() >= 200 && answer.result() < 400);
          });
    }

    private void heard(boolean well) {
      good = well ? good + 1 : 0;
      bad = well ? 0 : bad + 1;
      boolean was = endpoint.answersProbes();
      if (!was && good >= check.healthy()) {
        LOG.info("endpoint {} is healthy again", endpoint.address());
        endpoint.probed(true, nanos.getAsLong());
      } else if (was && bad >= check.unhealthy()) {
        LOG.warn(
            "endpoint {} is unhealthy: {} health checks in a row without success",
            endpoint.address(),
            bad);
        endpoint.probed(false, nanos.getAsLong());
      }
    }
  }
}
