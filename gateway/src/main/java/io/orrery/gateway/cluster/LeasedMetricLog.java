package io.orrery.gateway.cluster;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Metrics;
import io.orrery.core.lease.Lease;
import io.orrery.core.lease.Leases;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.metric.MetricSink;
import io.orrery.core.problem.Outcome;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.orrery.metrics.MetricsVerticle;
import io.orrery.metrics.prometheus.Meters;
import io.orrery.metrics.store.LogLimits;
import io.orrery.metrics.store.LogPlace;
import io.vertx.core.CompositeFuture;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The metric log, which one server at a time writes: the others hand it over the bus what is
 * reported to them. While it goes from one server to the next, and while its database is away, it
 * is Unavailable: a sender that repeats itself loses nothing and doubles nothing.
 */
public final class LeasedMetricLog implements MetricSink {
  private static final Duration SOON = Duration.ofSeconds(1);

  private final Vertx vertx;
  private final Bus bus;
  private final Meters meters;
  private final Clock clock;
  private volatile @Nullable LeasedDuty post;
  private volatile @Nullable Here here;
  private volatile boolean shared;

  private record Here(Lease lease, MetricsVerticle log) {}

  public LeasedMetricLog(Vertx vertx, Bus bus, Meters meters, Clock clock) {
    this.vertx = vertx;
    this.bus = bus;
    this.meters = meters;
    this.clock = clock;
  }

  /**
   * Opens the log, or finds that another server has it.
   *
   * @param place where it is kept, for the server that holds the lease
   */
  public Future<Void> open(Leases leases, Function<Lease, LogPlace> place) {
    LeasedDuty opened = new LeasedDuty(vertx, leases, clock, "metrics", lease -> log(lease, place));
    post = opened;
    shared = leases.shared();
    return opened.open();
  }

  /** Answers to others end with the lease: a log that is not the last one knows too little. */
  private MetricsVerticle log(Lease lease, Function<Lease, LogPlace> place) {
    MetricsVerticle log =
        new MetricsVerticle(
            bus.entitledBy(lease::held),
            Future.succeededFuture(place.apply(lease)),
            LogLimits.DEFAULT,
            meters,
            clock);
    here = new Here(lease, log);
    return log;
  }

  @Override
  public Future<List<Outcome<Receipt>>> appendAll(List<List<MetricPoint>> batches) {
    Here near = here;
    if (near == null || !near.lease().held()) {
      return send(batches);
    }
    Future<List<Outcome<Receipt>>> appended = near.log().sink().appendAll(batches);
    return shared
        ? appended.map(LeasedMetricLog::settled).recover(LeasedMetricLog::failed)
        : appended;
  }

  /** The log may not be open yet here, or any more: another attempt finds it where it is then. */
  private static List<Outcome<Receipt>> settled(List<Outcome<Receipt>> outcomes) {
    return outcomes.stream().map(LeasedMetricLog::settled).toList();
  }

  private static Outcome<Receipt> settled(Outcome<Receipt> outcome) {
    return switch (outcome) {
      case Outcome.Done<Receipt> done -> done;
      case Outcome.Undone<Receipt>(Problem problem) -> new Outcome.Undone<>(passing(problem));
    };
  }

  private static <T> Future<T> failed(Throwable failure) {
    return Future.failedFuture(passing(Problem.of(failure)).toException());
  }

  private Future<List<Outcome<Receipt>>> send(List<List<MetricPoint>> batches) {
    List<Future<Outcome<Receipt>>> answers = new ArrayList<>();
    for (List<MetricPoint> batch : batches) {
      answers.add(
          bus.request(Metrics.APPEND, new Metrics.Append(batch))
              .recover(LeasedMetricLog::failed)
              .transform(answer -> Future.succeededFuture(Outcome.of(answer))));
    }
    return Future.all(answers).map(CompositeFuture::list);
  }

  private static Problem passing(Problem problem) {
    return problem instanceof Problem.Broken
        ? new Problem.Unavailable(
            "The metric log goes to another server: " + problem.detail(), SOON)
        : problem;
  }

  /** Whether what is reported can be stored, as far as this server knows; fails with why not. */
  public Future<Void> probe() {
    Here near = here;
    return near != null && near.lease().held() ? near.log().probe() : Future.succeededFuture();
  }

  /** What was handed in is durable or refused when it completes, and another may have the log. */
  public Future<Void> close() {
    LeasedDuty opened = post;
    return opened == null ? Future.succeededFuture() : opened.close();
  }
}
