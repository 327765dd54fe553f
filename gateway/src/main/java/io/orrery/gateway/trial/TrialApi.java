package io.orrery.gateway.trial;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Annotations;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.json.Json;
import io.orrery.core.metric.Direction;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.trial.Trial;
import io.orrery.core.trial.TrialOrder;
import io.orrery.core.trial.TrialStatus;
import io.orrery.gateway.annotation.TagLookup;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.DryRun;
import io.orrery.gateway.http.Pages;
import io.orrery.gateway.http.PathIds;
import io.orrery.gateway.http.Query;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RequestBody;
import io.orrery.gateway.http.RouteNeed;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The API of trials, {@code /experiments/{id}/trials}, and {@code /points}: all of them for a
 * chart.
 */
final class TrialApi implements Api {
  static final String ALL = ApiRouter.V1 + "/experiments/:experiment/trials";
  static final String ONE = ALL + "/:trial";

  private static final String POINTS = ApiRouter.V1 + "/experiments/:experiment/points";

  private static final int MAX_PARAMETER_BYTES = 1 << 20;
  private static final int MOST_KEY_CHARACTERS = 200;

  private final Bus bus;
  private final TagLookup tags;
  private final RequestBody bodies;

  public TrialApi(Bus bus, RequestBody bodies) {
    this.bus = bus;
    this.tags = new TagLookup(bus);
    this.bodies = bodies;
  }

  @Override
  public void mount(ApiRouter router) {
    router.get(POINTS, RouteNeed.READ, this::points, "maxPoints", "key", "mode");
    router.get(
        ALL,
        RouteNeed.READ,
        this::list,
        "status",
        "sort",
        "q",
        "where",
        "cursor",
        "offset",
        "total",
        "limit");
    router.post(ALL, RouteNeed.CHANGE, this::add, DryRun.PARAMETER);
    router.get(
        ONE,
        RouteNeed.READ,
        context ->
            bus.request(Trials.GET, new Trials.Get(PathIds.trial(context))).compose(this::reply));
    router.post(
        ONE + "/cancel",
        RouteNeed.OPERATE,
        context ->
            bus.request(
                    DryRun.isAsked(context) ? Trials.CHECK_CANCEL : Trials.CANCEL,
                    new Trials.Cancel(PathIds.trial(context)))
                .compose(this::reply),
        DryRun.PARAMETER);
    router.post(
        ONE + "/retry",
        RouteNeed.OPERATE,
        context ->
            bus.request(
                    DryRun.isAsked(context) ? Trials.CHECK_RETRY : Trials.RETRY,
                    new Trials.Retry(PathIds.trial(context)))
                .compose(this::reply),
        DryRun.PARAMETER);
  }

  private Future<Reply> list(RoutingContext context) {
    Query query = Query.of(context);
    TrialOrder order = query.read("sort", TrialOrder::parse);
    Trials.ListSome question =
        new Trials.ListSome(
            PathIds.experiment(context),
            query.oneOf("status", TrialStatus.class),
            order == null ? null : order.text(),
            query.text("q"),
            query.readAll("where", TrialConditions.MOST, TrialConditions::read),
            Pages.cursor(query),
            query.text("offset") == null ? null : query.integer("offset", 0, 0, Integer.MAX_VALUE),
            query.flag("total"),
            Pages.limit(query));
    return bus.request(Trials.LIST, question)
        .compose(
            page -> tagsOf(question.experiment(), page.items()).map(known -> list(page, known)));
  }

  private Future<Optional<Annotations.Tags>> tagsOf(ExperimentId experiment, List<Trial> trials) {
    return tags.of(experiment, trials.stream().map(trial -> trial.ref().trial()).toList());
  }

  private static JsonNode tagged(Trial trial, Optional<Annotations.Tags> known) {
    return known
        .map(tags -> TrialShape.of(trial, tags.of(trial.ref().trial().value())))
        .orElseGet(() -> TrialShape.of(trial));
  }

  private static Reply list(Trials.Page page, Optional<Annotations.Tags> tags) {
    ObjectNode list = Pages.of(page.items(), trial -> tagged(trial, tags), page.next());
    if (page.total() != null) {
      list.put("total", page.total());
    }
    return Reply.ok(list);
  }

  private Future<Reply> points(RoutingContext context) {
    Query query = Query.of(context);
    int most = (int) query.integer("maxPoints", 2_000, 10, 20_000);
    String key = query.text("key");
    if (key != null && key.length() > MOST_KEY_CHARACTERS) {
      throw new Problem.Refused(
              new Finding(
                  "",
                  "the query parameter 'key' has at most " + MOST_KEY_CHARACTERS + " characters"))
          .toException();
    }
    String mode = query.oneOf("mode", List.of("maximize", "minimize"));
    Direction direction = mode == null ? null : Direction.valueOf(mode.toUpperCase(Locale.ROOT));
    // The columns go out as they are: a tree of a hundred thousand numbers would be made for
    // nothing.
    return bus.request(
            Trials.POINTS, new Trials.PointsOf(PathIds.experiment(context), key, direction, most))
        .map(points -> Reply.ok(Json.MAPPER.getNodeFactory().pojoNode(points)));
  }

  private Future<Reply> add(RoutingContext context) {
    var experiment = PathIds.experiment(context);
    boolean dryRun = DryRun.isAsked(context);
    return bodies
        .text(context, MAX_PARAMETER_BYTES)
        .compose(text -> {
          ChosenParameters chosen = ChosenParameters.read(text);
          Trials.Add add = new Trials.Add(experiment, chosen.values());
          return (dryRun ? check(add) : add(add))
              .recover(failure -> Future.failedFuture(chosen.placed(failure)));
        });
  }

  private Future<Reply> check(Trials.Add add) {
    return bus.request(Trials.CHECK_ADD, add)
        .map(checked -> {
          ObjectNode valid = Json.MAPPER.createObjectNode().put("valid", true);
          valid.set("notices", Json.MAPPER.valueToTree(checked.notices()));
          return Reply.ok(valid);
        });
  }

  private Future<Reply> add(Trials.Add add) {
    return bus.request(Trials.ADD, add)
        .compose(trial -> notices(trial).map(notices -> added(trial, notices)));
  }

  /** What is odd about values that were taken all the same. */
  private Future<List<String>> notices(Trial trial) {
    return bus.request(Experiments.GET, new Experiments.Get(trial.ref().experiment()))
        .map(experiment ->
            experiment
                .spec()
                .search()
                .parameterShape()
                .judge(trial.current().values().values())
                .notices())
        .otherwise(List.of());
  }

  private static Reply added(Trial trial, List<String> notices) {
    ObjectNode shape = Json.MAPPER.valueToTree(TrialShape.of(trial, List.of()));
    shape.set("notices", Json.MAPPER.valueToTree(notices));
    TrialRef ref = trial.ref();
    return Reply.created(
        ApiRouter.V1 + "/experiments/" + ref.experiment() + "/trials/" + ref.trial(), shape);
  }

  private Future<Reply> reply(Trial trial) {
    return tagsOf(trial.ref().experiment(), List.of(trial))
        .map(known -> Reply.ok(tagged(trial, known)));
  }
}
