package io.orrery.gateway.keeper;

import io.orrery.compute.service.PlatformListener;
import io.orrery.compute.service.TrialAccess;
import io.orrery.core.access.OriginPasses;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.lease.Leases;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.metric.MetricSink;
import io.orrery.core.problem.Outcome;
import io.orrery.core.time.SystemClock;
import io.orrery.core.trial.TrialStatus;
import io.orrery.gateway.Edge;
import io.orrery.gateway.Samples;
import io.orrery.gateway.auth.Access;
import io.orrery.gateway.auth.SignInWays;
import io.orrery.gateway.channel.TrialTokens;
import io.orrery.gateway.health.Readiness;
import io.orrery.gateway.http.EdgeOptions;
import io.orrery.gateway.http.EdgeVerticle;
import io.orrery.gateway.service.RouterAddress;
import io.orrery.gateway.status.StatusBoard;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * An edge that trials with keepers talk to, and behind it a log that tells a platform's listener of
 * each point once.
 */
public final class KeptEdge implements TrialAccess {
  /** A limit for an edge that never starts; in a cold JVM of a busy machine it starts late. */
  private static final long START_SECONDS = 180;

  /** Of this run alone: processes are found by their token, and another run may be beside it. */
  private final TrialTokens tokens =
      new TrialTokens(UUID.randomUUID().toString().getBytes(StandardCharsets.UTF_8));

  private final Supplier<PlatformListener> listener;
  private final List<MetricPoint> durable = new ArrayList<>();
  private final Set<List<Object>> seen = new HashSet<>();
  private EdgeVerticle edge;

  /**
   * @param listener the platform's, whichever it is now
   */
  public KeptEdge(Supplier<PlatformListener> listener) {
    this.listener = listener;
  }

  @Override
  public String serverUrl() {
    return "http://127.0.0.1:" + edge.actualPort();
  }

  @Override
  public String token(AttemptRef attempt) {
    return tokens.of(attempt);
  }

  @Override
  public boolean isToken(String shown) {
    return tokens.open(shown).isPresent();
  }

  /** What was durable before is known to who asks the log. */
  public void tellDurable() {
    durable.forEach(point -> listener.get().reported(List.of(point)));
  }

  /** Starts it over a home. */
  public void start(Vertx vertx, Bus bus, Path home) throws Exception {
    SystemClock clock = new SystemClock(vertx);
    edge =
        Edge.of(
            EdgeOptions.loopback(0),
            bus,
            new ListenersSink(),
            tokens,
            Access.of(List.of(), SignInWays.NONE, tokens, bus, clock, new SecureRandom()),
            Edge.Places.in(home),
            new RouterAddress("orrery.localhost", () -> 8000, "127.0.0.1", null),
            new OriginPasses(new byte[32]),
            clock,
            new SecureRandom(),
            "test",
            () -> Future.succeededFuture(Readiness.State.READY),
            Future.succeededFuture(Leases.ALONE),
            new StatusBoard());
    vertx.deployVerticle(edge).await(START_SECONDS, TimeUnit.SECONDS);
    bus.serve(
            Trials.GET,
            get ->
                Future.succeededFuture(Samples.trial(TrialStatus.RUNNING, 9, null, Samples.THEN)))
        .await(START_SECONDS, TimeUnit.SECONDS);
  }

  /** The log: drops what it has, and tells the platform's listener of the rest. */
  private final class ListenersSink implements MetricSink {
    @Override
    public Future<List<Outcome<Receipt>>> appendAll(List<List<MetricPoint>> batches) {
      List<MetricPoint> fresh =
          batches.stream()
              .flatMap(List::stream)
              .filter(point -> !seen.contains(key(point)))
              .toList();
      return listener
          .get()
          .reported(fresh)
          .map(taken -> {
            for (MetricPoint point : fresh) {
              seen.add(key(point));
              durable.add(point);
            }
            return batches.stream()
                .<Outcome<Receipt>>map(batch -> new Outcome.Done<>(new Receipt(batch.size(), 0)))
                .toList();
          });
    }

    private static List<Object> key(MetricPoint point) {
      return List.of(point.attempt(), point.source(), point.kind(), point.ordinal());
    }
  }
}
