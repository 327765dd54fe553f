package io.orrery.gateway.telemetry;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporterBuilder;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.vertx.core.spi.VertxTracerFactory;
import io.vertx.tracing.opentelemetry.OpenTelemetryTracingFactory;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Sends the spans of traces to a collector, by OTLP over HTTP. They wait in a queue of bounded
 * length: when the collector is slow or away, spans are dropped and requests go on.
 *
 * <p>Traces are continued and handed on by the headers of W3C Trace Context.
 */
public final class SpanExport implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final int MOST_WAITING = 8_192;
  private static final int FAREWELL_SECONDS = 3;

  private final SdkTracerProvider provider;
  private final VertxTracerFactory factory;

  /**
   * The collector of spans, and what it is sent.
   *
   * @param url of the collector's traces, such as {@code http://collector:4318/v1/traces}
   * @param share of the traces that begin here, 0 to 1; one that a request brings is sent as its
   *     beginner has decided
   * @param headers of each request to the collector
   */
  public record Collector(URI url, double share, Map<String, String> headers) {
    public Collector {
      headers = Map.copyOf(headers);
    }

    /** Leaves out the headers: they may be secret. */
    @Override
    public String toString() {
      return url + " " + share;
    }
  }

  /**
   * @param instance a name that no other process has
   */
  public SpanExport(Collector collector, String instance) {
    LibraryMessages.redirect();
    OtlpHttpSpanExporterBuilder exporter =
        OtlpHttpSpanExporter.builder().setEndpoint(collector.url().toString()).setTimeout(TIMEOUT);
    collector.headers().forEach(exporter::addHeader);
    Attributes self =
        Attributes.of(
            AttributeKey.stringKey("service.name"),
            "orrery",
            AttributeKey.stringKey("service.instance.id"),
            instance);
    provider =
        SdkTracerProvider.builder()
            .setResource(Resource.getDefault().merge(Resource.create(self)))
            .setSampler(Sampler.parentBased(Sampler.traceIdRatioBased(collector.share())))
            .addSpanProcessor(
                BatchSpanProcessor.builder(exporter.build())
                    .setMaxQueueSize(MOST_WAITING)
                    .setScheduleDelay(PAUSE)
                    .build())
            .build();
    factory =
        new OpenTelemetryTracingFactory(
            OpenTelemetrySdk.builder()
                .setTracerProvider(provider)
                .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
                .build());
  }

  /** The tracer of a Vert.x instance. */
  public VertxTracerFactory factory() {
    return factory;
  }

  /** Sends what waits; gives up after some seconds. */
  @Override
  public void close() {
    provider.shutdown().join(FAREWELL_SECONDS, TimeUnit.SECONDS);
  }
}
