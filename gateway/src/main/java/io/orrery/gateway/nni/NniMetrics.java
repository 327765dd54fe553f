package io.orrery.gateway.nni;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Metrics;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.orrery.core.trial.ParameterSet;
import io.orrery.core.trial.ParameterSource;
import io.orrery.core.trial.Trial;
import io.orrery.core.trial.TrialCondition;
import io.orrery.core.trial.TrialCondition.Comparison;
import io.orrery.core.trial.TrialField.Standard;
import io.orrery.core.trial.TrialStatus;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.EdgeOptions;
import io.orrery.gateway.http.Outflow;
import io.orrery.gateway.http.Query;
import io.orrery.gateway.http.RouteNeed;
import io.orrery.gateway.trial.TrialWalk;
import io.vertx.core.CompositeFuture;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The NNI call {@code metric-data} in its four forms. They contain the last attempt only, and the
 * last of several final results.
 */
final class NniMetrics {
  /** NNI thins nothing out. */
  private static final int ALL = Integer.MAX_VALUE;

  private final Bus bus;
  private final Clock clock;
  private final EdgeOptions options;
  private final NniTarget target;

  /** NNI's words. */
  private enum Type {
    PERIODICAL,
    FINAL
  }

  private enum Selection {
    EVERYTHING,
    /** The final result, and the last intermediate one. */
    LATEST
  }

  /** The reports of a trial, or the last of them. */
  private record Reported(List<MetricPoint> intermediates, @Nullable MetricPoint result) {
    static Reported of(Metrics.Ends ends) {
      MetricPoint last = ends.intermediate();
      return new Reported(last == null ? List.of() : List.of(last), ends.result());
    }

    List<MetricPoint> points(@Nullable Type type) {
      List<MetricPoint> points = new ArrayList<>();
      if (type != Type.FINAL) {
        points.addAll(intermediates);
      }
      if (type != Type.PERIODICAL && result != null) {
        points.add(result);
      }
      return points;
    }
  }

  NniMetrics(Bus bus, Clock clock, EdgeOptions options, NniTarget target) {
    this.bus = bus;
    this.clock = clock;
    this.options = options;
    this.target = target;
  }

  void mount(ApiRouter router, String base) {
    router.stream(
        base + "/metric-data",
        RouteNeed.CHECKED,
        context -> all(context, Selection.EVERYTHING, List.of()),
        "type");
    router.stream(base + "/metric-data/:trial", RouteNeed.CHECKED, this::one, "type");
    router.stream(
        base + "/metric-data-latest",
        RouteNeed.CHECKED,
        context -> all(context, Selection.LATEST, List.of()),
        "type");
    router.stream(
        base + "/metric-data-range/:from/:to",
        RouteNeed.CHECKED,
        context ->
            all(
                context,
                Selection.EVERYTHING,
                List.of(
                    sequence(Comparison.AT_LEAST, number(context, "from")),
                    sequence(Comparison.AT_MOST, number(context, "to")))),
        "type");
  }

  private void all(RoutingContext context, Selection selection, List<TrialCondition> where) {
    Type type = type(context);
    write(
        context,
        list ->
            target
                .id(context)
                .compose(id -> walk(id, where, trials -> add(list, trials, selection, type))));
  }

  private void one(RoutingContext context) {
    Type type = type(context);
    write(
        context,
        list ->
            target
                .knownTrial(context)
                .compose(known -> add(list, known.stream().toList(), Selection.EVERYTHING, type)));
  }

  private Future<Void> walk(
      ExperimentId id, List<TrialCondition> where, Function<List<Trial>, Future<Void>> taker) {
    return TrialWalk.over(
        bus,
        id,
        null,
        where,
        trials ->
            taker.apply(
                trials.stream().filter(trial -> trial.status() != TrialStatus.WAITING).toList()));
  }

  private void write(RoutingContext context, Function<JsonList, Future<Void>> source) {
    Outflow out = new Outflow(context.response(), clock, options.patience(), () -> {});
    JsonList list = new JsonList(context, out);
    source.apply(list).compose(read -> list.end()).onFailure(context::fail);
  }

  /** The points of one page of trials, written in the trials' order. */
  private Future<Void> add(
      JsonList list, List<Trial> trials, Selection selection, @Nullable Type type) {
    if (trials.isEmpty()) {
      return Future.succeededFuture();
    }
    boolean ends = selection == Selection.LATEST || type == Type.FINAL;
    return (ends ? ends(trials) : everything(trials))
        .compose(all -> {
          Stream.Builder<ObjectNode> shapes = Stream.builder();
          for (int i = 0; i < trials.size(); i++) {
            Trial trial = trials.get(i);
            Reported reported = all.get(i);
            for (MetricPoint point : reported.points(type)) {
              shapes.add(NniShapes.metric(trial, point));
            }
            if (type != Type.PERIODICAL) {
              unreported(trial, reported.result())
                  .forEach(set -> shapes.add(NniShapes.result(trial, set)));
            }
          }
          return list.add(shapes.build());
        });
  }

  private Future<List<Reported>> ends(List<Trial> trials) {
    return bus.request(
            Metrics.LATEST,
            new Metrics.LatestOf(
                trials.getFirst().ref().experiment(),
                trials.stream().map(trial -> trial.ref().trial()).toList()))
        .map(latest -> latest.ends().stream().map(Reported::of).toList());
  }

  /** Asked for together. */
  private Future<List<Reported>> everything(List<Trial> trials) {
    List<Future<Reported>> asked = new ArrayList<>();
    for (Trial trial : trials) {
      asked.add(
          bus.request(Metrics.SERIES, new Metrics.SeriesOf(trial.ref(), ALL, null))
              .map(series -> new Reported(series.points(), series.result())));
    }
    return Future.all(asked).map(CompositeFuture::list);
  }

  /**
   * Results that are in no series: of an imported trial, which reported nothing, though NNI's
   * export looks for metrics of every trial with a result; and of several sets all but the last.
   */
  private static Stream<ParameterSet> unreported(Trial trial, @Nullable MetricPoint last) {
    boolean imported = trial.current().source() == ParameterSource.IMPORTED;
    boolean several = trial.parameters().size() > 1;
    return imported || several
        ? trial.tried().stream()
            .filter(set -> set.result() != null)
            .filter(set -> last == null || !Objects.equals(set.parameterId(), last.parameterId()))
        : Stream.empty();
  }

  private static @Nullable Type type(RoutingContext context) {
    return Query.of(context).oneOf("type", Type.class);
  }

  private static TrialCondition sequence(Comparison comparison, long number) {
    return new TrialCondition(Standard.SEQUENCE_ID, comparison, List.of((double) number));
  }

  private static long number(RoutingContext context, String name) {
    String text = context.pathParam(name);
    if (!text.matches("[0-9]{1,18}")) {
      throw new Problem.Refused(
              new Finding("", "a range is two sequence ids, such as metric-data-range/0/99"))
          .toException();
    }
    return Long.parseLong(text);
  }
}
