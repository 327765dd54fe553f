package io.orrery.core.trace;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.spi.tracing.SpanKind;
import io.vertx.core.spi.tracing.TagExtractor;
import io.vertx.core.spi.tracing.VertxTracer;
import io.vertx.core.tracing.TracingPolicy;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Spans of distributed traces, for a Vert.x instance that has a tracer. Vert.x makes those of HTTP
 * requests itself; these are for what it does not see. Without a tracer they cost a null check.
 */
public final class Spans {
  private static final TagExtractor<Work> TAGS =
      new TagExtractor<>() {
        @Override
        public int len(Work work) {
          return work.tag().isEmpty() ? 0 : 1;
        }

        @Override
        public String name(Work work, int index) {
          return work.tag();
        }

        @Override
        public String value(Work work, int index) {
          return work.value();
        }
      };

  private Spans() {}

  /**
   * A piece of work that has a span of its own.
   *
   * @param name of the span
   * @param tag the name of its attribute, as OpenTelemetry's semantic conventions have it; empty
   *     for none
   */
  public record Work(String name, String tag, String value) {}

  /** Makes a span around work that is a part of a trace; elsewhere it makes none. */
  public static <T> Future<T> around(Vertx vertx, Work work, Supplier<Future<T>> doing) {
    return around(vertx, TracingPolicy.PROPAGATE, work, doing);
  }

  /** Makes a span around work; one that is no part of a trace begins a trace. */
  public static <T> Future<T> begin(Vertx vertx, Work work, Supplier<Future<T>> doing) {
    return around(vertx, TracingPolicy.ALWAYS, work, doing);
  }

  private static <T> Future<T> around(
      Vertx vertx, TracingPolicy policy, Work work, Supplier<Future<T>> doing) {
    VertxTracer<Object, Object> tracer = tracer(vertx);
    if (tracer == null) {
      return doing.get();
    }
    Context context = vertx.getOrCreateContext();
    Object span = send(tracer, context, policy, work, (name, value) -> {});
    if (span == null) {
      return doing.get();
    }
    return Future.succeededFuture()
        .compose(begun -> doing.get())
        .onComplete((value, failure) ->
            tracer.receiveResponse(context, value, span, failure, TagExtractor.empty()));
  }

  /** The spans of a question: the asker's, and as its child that of the one who answers. */
  public static final class Question {
    private final VertxTracer<Object, Object> tracer;
    private final Context asker;
    private final Work work;
    private final Map<String, String> headers = new HashMap<>();
    private @Nullable Object asking;
    private @Nullable Object answering;
    private @Nullable Context there;

    private Question(VertxTracer<Object, Object> tracer, Context asker, Work work) {
      this.tracer = tracer;
      this.asker = asker;
      this.work = work;
    }

    /**
     * Begins the asker's span.
     *
     * @return null when the asker's work is no part of a trace
     */
    public static @Nullable Question begin(Vertx vertx, Context asker, String address) {
      VertxTracer<Object, Object> tracer = tracer(vertx);
      if (tracer == null) {
        return null;
      }
      Question question = new Question(tracer, asker, new Work(address, "", ""));
      question.asking =
          send(tracer, asker, TracingPolicy.PROPAGATE, question.work, question.headers::put);
      return question.asking == null ? null : question;
    }

    /** Begins the span of the answer; a context for it, on the loop or the worker of another. */
    public Context answerOn(Context home) {
      Context context = ((ContextInternal) home).duplicate();
      answering =
          tracer.receiveRequest(
              context,
              SpanKind.RPC,
              TracingPolicy.PROPAGATE,
              work,
              work.name(),
              headers.entrySet(),
              TAGS);
      there = context;
      return context;
    }

    /** Ends the span of the answer. */
    public void answered(@Nullable Object value, @Nullable Throwable failure) {
      if (answering != null && there != null) {
        tracer.sendResponse(there, value, answering, failure, TagExtractor.empty());
      }
    }

    /** Ends the asker's span. */
    public void received(@Nullable Object value, @Nullable Throwable failure) {
      tracer.receiveResponse(asker, value, asking, failure, TagExtractor.empty());
    }
  }

  /** Whether the Vert.x instance of the present context has a tracer. */
  public static boolean areMadeHere() {
    Context context = Vertx.currentContext();
    return context != null && tracer(context.owner()) != null;
  }

  private static @Nullable Object send(
      VertxTracer<Object, Object> tracer,
      Context context,
      TracingPolicy policy,
      Work work,
      BiConsumer<String, String> headers) {
    return tracer.sendRequest(context, SpanKind.RPC, policy, work, work.name(), headers, TAGS);
  }

  @SuppressWarnings("unchecked") // its spans are opaque to all but itself
  private static @Nullable VertxTracer<Object, Object> tracer(Vertx vertx) {
    return (VertxTracer<Object, Object>) ((VertxInternal) vertx).tracer();
  }
}
