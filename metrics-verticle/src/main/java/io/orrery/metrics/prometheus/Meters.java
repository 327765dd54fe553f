package io.orrery.metrics.prometheus;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.orrery.core.bus.CallWatch;
import io.orrery.core.metric.MetricSink;
import io.orrery.core.problem.Problem;
import io.orrery.metrics.store.LogWatch;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The registry of all Prometheus meters of the server. Safe for use by several threads. */
public final class Meters implements CallWatch, LogWatch, AutoCloseable {
  private static final String PREFIX = "orrery.";

  /** Of whatever waits for a disk, a tuner or a platform. */
  private static final Duration[] TIMES = {
    Duration.ofMillis(1),
    Duration.ofMillis(2),
    Duration.ofMillis(5),
    Duration.ofMillis(10),
    Duration.ofMillis(20),
    Duration.ofMillis(50),
    Duration.ofMillis(100),
    Duration.ofMillis(200),
    Duration.ofMillis(500),
    Duration.ofSeconds(1),
    Duration.ofSeconds(5),
    Duration.ofSeconds(30),
  };

  private static final double[] SIZES = {1, 10, 100, 1_000, 10_000, 100_000};

  /** A question and what became of it. */
  private record Call(String name, boolean answered) {}

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Map<Call, Timer> calls = new ConcurrentHashMap<>();
  private final Counter accepted;
  private final Counter duplicates;
  private final Timer commits;
  private final DistributionSummary commitPoints;
  private final Timer loopLag;

  public Meters() {
    registry
        .config()
        // Nanoseconds, and a count of what is not counted: both are against Prometheus's customs.
        .meterFilter(MeterFilter.denyNameStartsWith(PREFIX + "process.cpu.time"))
        .meterFilter(MeterFilter.denyNameStartsWith(PREFIX + "system.cpu.count"))
        .meterFilter(
            new MeterFilter() {
              @Override
              public Meter.Id map(Meter.Id id) {
                return id.getName().startsWith(PREFIX) ? id : id.withName(PREFIX + id.getName());
              }
            });
    accepted = points("accepted");
    duplicates = points("duplicate");
    commits =
        Timer.builder("orrery.metric.commit")
            .description("Taking in, writing and syncing one group of points")
            .serviceLevelObjectives(TIMES)
            .register(registry);
    commitPoints =
        DistributionSummary.builder("orrery.metric.commit.points")
            .description("New points in one group")
            .serviceLevelObjectives(SIZES)
            .register(registry);
    loopLag =
        Timer.builder("orrery.eventloop.lag")
            .description("How late a timer of an event loop was")
            .serviceLevelObjectives(TIMES)
            .register(registry);
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ClassLoaderMetrics().bindTo(registry);
    new GarbageMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new FileDescriptorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
  }

  private Counter points(String result) {
    return Counter.builder("orrery.metric.points")
        .description("Reported points that are durable, by whether they were new")
        .tag("result", result)
        .register(registry);
  }

  /** Points are durable, and their sender is told. */
  public void taken(MetricSink.Receipt receipt) {
    accepted.increment(receipt.accepted());
    duplicates.increment(receipt.duplicates());
  }

  /** Points were not taken. */
  public void refused(int points, Problem problem) {
    Counter.builder("orrery.metric.refused.points")
        .description("Reported points that were not taken, by the kind of problem")
        .tag("reason", reason(problem))
        .register(registry)
        .increment(points);
  }

  @Override
  public void committed(int points, long nanos) {
    commits.record(nanos, TimeUnit.NANOSECONDS);
    commitPoints.record(points);
  }

  @Override
  public void answered(String call, @Nullable Throwable failure, long nanos) {
    calls
        .computeIfAbsent(new Call(call, failure == null), this::timer)
        .record(nanos, TimeUnit.NANOSECONDS);
  }

  private Timer timer(Call call) {
    return Timer.builder("orrery.call")
        .description("From a question between two parts of the server to its answer")
        .tag("call", call.name())
        .tag("outcome", call.answered() ? "answered" : "declined")
        .serviceLevelObjectives(TIMES)
        .register(registry);
  }

  /** A timer of an event loop was late. */
  public void lagged(long nanos) {
    loopLag.record(Math.max(0, nanos), TimeUnit.NANOSECONDS);
  }

  /** Gauges of one name whose labels are not known beforehand. */
  MultiGauge rows(String name, String description) {
    return MultiGauge.builder(PREFIX + name).description(description).register(registry);
  }

  /** A number that is looked at when Prometheus asks; the source must be quick. */
  public <T> void watch(
      String name,
      @Nullable String unit,
      String description,
      T source,
      ToDoubleFunction<T> number) {
    Gauge.builder(PREFIX + name, source, number)
        .description(description)
        .baseUnit(unit)
        .strongReference(true)
        .register(registry);
  }

  /** Such a number for one of a few words. */
  public <T> void watch(
      String name,
      String label,
      String word,
      String description,
      T source,
      ToDoubleFunction<T> number) {
    Gauge.builder(PREFIX + name, source, number)
        .description(description)
        .tag(label, word)
        .strongReference(true)
        .register(registry);
  }

  /** A number that only grows and is looked at when Prometheus asks; the source must be quick. */
  public <T> void count(String name, String description, T source, ToDoubleFunction<T> number) {
    FunctionCounter.builder(PREFIX + name, source, number)
        .description(description)
        .register(registry);
  }

  /** Everything, in Prometheus's text format 0.0.4. Takes some milliseconds. */
  public String scrape() {
    return registry.scrape();
  }

  @Override
  public void close() {
    registry.close();
  }

  private static String reason(Problem problem) {
    return switch (problem) {
      case Problem.Busy ignored -> "busy";
      case Problem.Unavailable ignored -> "unavailable";
      case Problem.Broken ignored -> "broken";
      case Problem.TooLarge ignored -> "too_large";
      case Problem.Conflict ignored -> "conflict";
      case Problem.Refused ignored -> "refused";
      case Problem.NotFound ignored -> "refused";
      case Problem.Unauthorized ignored -> "refused";
      case Problem.Forbidden ignored -> "refused";
    };
  }
}
