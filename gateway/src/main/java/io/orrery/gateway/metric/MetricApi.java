package io.orrery.gateway.metric;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.bus.contract.Metrics;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.metric.MetricSink;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.time.Clock;
import io.orrery.core.trial.Trial;
import io.orrery.gateway.channel.TrialTokens;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.JsonText;
import io.orrery.gateway.http.PathIds;
import io.orrery.gateway.http.Query;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RequestBody;
import io.orrery.gateway.http.RouteNeed;
import io.orrery.gateway.http.SecurityHeaders;
import io.orrery.gateway.metric.wire.DeferredReads;
import io.orrery.gateway.metric.wire.PlainFrames;
import io.orrery.gateway.metric.wire.RepeatedPosts;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.ext.web.RoutingContext;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The API of metrics: {@code POST /metrics} and the WebSocket {@code /metrics/stream} in, {@code
 * GET …/trials/{t}/metrics} and {@code GET …/metrics} of many trials out.
 */
public final class MetricApi implements Api {
  private static final String REPORTS = ApiRouter.V1 + "/metrics";

  private static final int MAX_BATCH_BYTES = 16 << 20;

  private static final int MOST_STREAMS = 10_000;

  /** As RFC 6455's registry has it. */
  private static final short TRY_AGAIN_LATER = 1013;

  /** The place before the first point. */
  private static final String BEGINNING = "0";

  /** Whose series may be asked for at once. */
  private static final int MOST_TRIALS = 100;

  /** Points in an answer with many series. */
  private static final int MOST_POINTS = 20_000;

  private static final byte[] ITEMS = ascii("{\"items\":[");
  private static final byte[] COMMA = ascii(",");
  private static final byte[] END = ascii("]}");
  private static final byte[] NO_ITEMS = ascii("{\"items\":[]}");

  private final Bus bus;
  private final Intake intake;
  private final RequestBody bodies;
  private final Clock clock;
  private final TrialTokens tokens;
  private final PlainReader plain = new PlainReader();
  private final FrameReader frames = new FrameReader(plain);
  private final StreamFlush rounds;
  private final RepeatedPosts.LoopState posted =
      new RepeatedPosts.LoopState(REPORTS, SecurityHeaders.lines());
  private final DeferredReads sweep;
  private final PlainFrames.LoopState framed;
  private final OpenStreams streams;
  private final DrawnCurves drawn = new DrawnCurves();

  /**
   * @param tokens whose holder reports for one attempt alone
   */
  public MetricApi(Bus bus, MetricSink sink, TrialTokens tokens, RequestBody bodies, Clock clock) {
    this.bus = bus;
    this.intake = new Intake(bus, sink, clock);
    this.tokens = tokens;
    this.bodies = bodies;
    this.clock = clock;
    this.rounds = new StreamFlush(clock, intake::together);
    this.sweep = new DeferredReads(clock, rounds::gather);
    this.framed = new PlainFrames.LoopState(sweep);
    this.streams = new OpenStreams(clock);
  }

  @Override
  public void mount(ApiRouter router) {
    router.direct(REPORTS, RouteNeed.ATTEMPT, this::append);
    router.webSocket(ApiRouter.V1 + "/metrics/stream", RouteNeed.ATTEMPT, this::stream);
    router.get(
        ApiRouter.V1 + "/experiments/:experiment/trials/:trial/metrics",
        RouteNeed.READ,
        this::series,
        "key",
        "maxPoints",
        "since");
    router.get(
        ApiRouter.V1 + "/experiments/:experiment/metrics",
        RouteNeed.READ,
        this::seriesOfMany,
        "trials",
        "kind",
        "key",
        "from",
        "to",
        "maxPoints");
  }

  @Override
  public void close() {
    streams.all().forEach(MetricStream::goAway);
    sweep.close();
  }

  private Handler<ServerWebSocket> stream(RoutingContext context) {
    HttpConnection connection = context.request().connection();
    AttemptRef sender = tokens.shown(context.request().headers()).orElse(null);
    return socket -> stream(connection, socket, sender);
  }

  private void stream(
      HttpConnection connection, ServerWebSocket socket, @Nullable AttemptRef sender) {
    if (streams.size() >= MOST_STREAMS) {
      socket.close(TRY_AGAIN_LATER, "too many streams");
      return;
    }
    MetricStream stream =
        new MetricStream(
            connection, framed, socket, intake, frames.ofOneSender(), rounds, clock, sender);
    streams.add(stream);
    socket.closeHandler(closed -> streams.remove(stream));
  }

  @Override
  public void opened(HttpConnection connection, Runnable used) {
    RepeatedPosts.watch(connection, posted, used);
  }

  private Future<Buffer> append(HttpServerRequest request) {
    AttemptRef sender = tokens.shown(request.headers()).orElse(null);
    RepeatedPosts posts = RepeatedPosts.of(request.connection());
    if (posts != null) {
      FrameReader own = frames.ofOneSender();
      posts.admitted(request, (bytes, from, to) -> repeated(own, bytes, from, to, sender));
      Throwable failure = posts.failure();
      if (failure != null) {
        return bodies
            .bytes(request, MAX_BATCH_BYTES)
            .compose(complete -> Future.failedFuture(failure));
      }
    }
    BatchReader batch = new BatchReader(plain, clock.millis(), 1);
    return bodies
        .unpacked(request, MAX_BATCH_BYTES, batch::take)
        .compose(complete -> intake.append(batch.lines(), sender))
        .map(MetricApi::answer);
  }

  private Future<Buffer> repeated(
      FrameReader own, byte[] bytes, int from, int to, @Nullable AttemptRef sender) {
    List<MetricLine> lines = new ArrayList<>(1);
    own.read(bytes, from, to, clock.millis(), 1, lines);
    return intake.append(lines, sender).map(MetricApi::answer);
  }

  private static Buffer answer(MetricSink.Receipt receipt) {
    return Buffer.buffer(
        "{\"accepted\":" + receipt.accepted() + ",\"duplicates\":" + receipt.duplicates() + "}");
  }

  private Future<Reply> series(RoutingContext context) {
    Query query = Query.of(context);
    TrialRef trial = PathIds.trial(context);
    String key = query.text("key");
    int maxPoints = (int) query.integer("maxPoints", 1_000, 2, 10_000);
    String since = query.text("since");
    // A trial that has not reported yet has an empty series; one that is not there has none.
    return bus.request(Trials.GET, new Trials.Get(trial))
        .compose(exists ->
            since == null
                ? bus.request(Metrics.SERIES, new Metrics.SeriesOf(trial, maxPoints, key))
                    .map(series -> Reply.ok(SeriesShape.of(trial, key, series)))
                : page(trial, key, since, maxPoints));
  }

  private Future<Reply> page(TrialRef trial, @Nullable String key, String since, int maxPoints) {
    String place = since.equals(BEGINNING) ? null : since;
    return bus.request(Metrics.POINTS, new Metrics.PointsSince(trial, place, maxPoints))
        .map(page -> Reply.ok(SeriesShape.page(trial, key, page, since)));
  }

  private Future<Reply> seriesOfMany(RoutingContext context) {
    Query query = Query.of(context);
    ExperimentId experiment = PathIds.experiment(context);
    String key = query.text("key");
    String kind = query.oneOf("kind", List.of("intermediate", "final"));
    int most = (int) query.integer("maxPoints", 200, 2, 10_000);
    long from = query.integer("from", Long.MIN_VALUE, 0, Long.MAX_VALUE);
    long to = query.integer("to", Long.MAX_VALUE, 0, Long.MAX_VALUE);
    return trials(experiment, query.text("trials"))
        .compose(trials -> {
          int share = Math.max(2, Math.min(most, MOST_POINTS / Math.max(1, trials.size())));
          return key == null || key.equals("default")
              ? curves(experiment, kind, new Metrics.CurvesOf(trials, share, from, to))
              : present(experiment).compose(there -> named(trials, kind, key, share, from, to));
        });
  }

  private Future<Reply> curves(
      ExperimentId experiment, @Nullable String kind, Metrics.CurvesOf question) {
    return bus.request(Metrics.CURVES, question)
        .compose(answer -> {
          List<Metrics.Curve> curves = answer.curves();
          // What has reported is there, and need not be asked for with every look at a chart.
          boolean reported = curves.stream().anyMatch(curve -> curve.attempt() > 0);
          return reported
              ? Future.succeededFuture(drawing(question.trials(), kind, curves))
              : present(experiment).map(there -> drawing(question.trials(), kind, curves));
        });
  }

  private Reply drawing(List<TrialRef> trials, @Nullable String kind, List<Metrics.Curve> curves) {
    byte[][] parts = new byte[2 * trials.size() + 1][];
    for (int i = 0; i < trials.size(); i++) {
      parts[2 * i] = i == 0 ? ITEMS : COMMA;
      parts[2 * i + 1] = drawn.text(trials.get(i), only(kind, curves.get(i)));
    }
    parts[2 * trials.size()] = trials.isEmpty() ? NO_ITEMS : END;
    return Reply.ok(parts);
  }

  private Future<Reply> named(
      List<TrialRef> trials, @Nullable String kind, String key, int most, long from, long to) {
    List<Future<Metrics.Series>> asked =
        trials.stream()
            .map(trial ->
                bus.request(Metrics.SERIES, new Metrics.SeriesOf(trial, most, key, from, to)))
            .toList();
    return Future.all(asked)
        .map(all -> {
          List<Metrics.Series> series = all.list();
          int points = series.stream().mapToInt(one -> one.points().size()).sum();
          return items(
              SeriesShape.empty(points, trials.size()),
              trials.size(),
              (json, i) -> SeriesShape.put(json, trials.get(i), key, only(kind, series.get(i))));
        });
  }

  private static Reply items(JsonText json, int count, ObjIntConsumer<JsonText> item) {
    json.raw("{\"items\":[");
    for (int i = 0; i < count; i++) {
      if (i > 0) {
        json.raw(',');
      }
      item.accept(json, i);
      json.raw('}');
    }
    return Reply.ok(json.raw("]}"));
  }

  /** Fails when there is no such experiment. */
  private Future<Void> present(ExperimentId experiment) {
    return bus.request(Experiments.GET, new Experiments.Get(experiment)).mapEmpty();
  }

  /** Those that are named; without names the newest, if there is such an experiment. */
  private Future<List<TrialRef>> trials(ExperimentId experiment, @Nullable String names) {
    if (names == null) {
      return bus.request(
              Trials.LIST,
              new Trials.ListSome(experiment, null, "-sequenceId", null, null, MOST_TRIALS))
          .map(page -> page.items().stream().map(Trial::ref).toList());
    }
    List<String> ids = Arrays.asList(names.split(",", -1));
    if (ids.size() > MOST_TRIALS) {
      throw refused("at most " + MOST_TRIALS + " trials at once, not " + ids.size());
    }
    for (String id : ids) {
      if (!TrialId.valid(id)) {
        throw refused(
            "the query parameter 'trials' is ids with commas between; '" + id + "' is none");
      }
    }
    return Future.succeededFuture(
        ids.stream().map(id -> new TrialRef(experiment, new TrialId(id))).toList());
  }

  private static Metrics.Series only(@Nullable String kind, Metrics.Series series) {
    return switch (kind) {
      case "final" -> new Metrics.Series(List.of(), series.result(), series.total());
      case "intermediate" -> new Metrics.Series(series.points(), null, series.total());
      case null, default -> series;
    };
  }

  private static Metrics.Curve only(@Nullable String kind, Metrics.Curve curve) {
    return switch (kind) {
      case "final" ->
          new Metrics.Curve(
              curve.attempt(),
              new long[0],
              new double[0],
              new long[0],
              curve.result(),
              curve.total());
      case "intermediate" ->
          new Metrics.Curve(
              curve.attempt(),
              curve.sequences(),
              curve.values(),
              curve.times(),
              null,
              curve.total());
      case null, default -> curve;
    };
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static ProblemException refused(String message) {
    return new Problem.Refused(new Finding("", message)).toException();
  }
}
