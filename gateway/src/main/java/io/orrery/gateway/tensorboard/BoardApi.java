package io.orrery.gateway.tensorboard;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.DryRun;
import io.orrery.gateway.http.Listeners;
import io.orrery.gateway.http.PathIds;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RequestBody;
import io.orrery.gateway.http.RouteNeed;
import io.orrery.gateway.http.Wire;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.List;

/** The API of TensorBoards, {@code /experiments/{id}/tensorboards}. */
final class BoardApi implements Api {
  private static final String ALL = ApiRouter.V1 + "/experiments/:experiment/tensorboards";
  private static final String ONE = ALL + "/:board";
  private static final int MOST_BYTES = 64 << 10;

  private final Bus bus;
  private final RequestBody bodies;
  private final Boards boards;

  public BoardApi(Bus bus, RequestBody bodies, Boards boards) {
    this.bus = bus;
    this.bodies = bodies;
    this.boards = boards;
  }

  @Override
  public void mount(ApiRouter router) {
    router.get(ALL, RouteNeed.SERVER, this::list);
    router.post(ALL, RouteNeed.SERVER, this::start, DryRun.PARAMETER);
    router.delete(ONE, RouteNeed.SERVER, this::stop);
  }

  @Override
  public void listening(Listeners listeners) {
    boards.listening();
  }

  @Override
  public void close() {
    boards.close();
  }

  private Future<Reply> list(RoutingContext context) {
    ExperimentId experiment = PathIds.experiment(context);
    return bus.request(Experiments.GET, new Experiments.Get(experiment))
        .map(exists -> {
          ObjectNode json = Json.MAPPER.createObjectNode();
          ArrayNode items = json.putArray("items");
          boards.of(experiment).forEach(board -> items.add(shape(board)));
          return Reply.ok(json);
        });
  }

  private Future<Reply> start(RoutingContext context) {
    ExperimentId experiment = PathIds.experiment(context);
    boolean dryRun = DryRun.isAsked(context);
    return bodies
        .text(context, MOST_BYTES)
        .compose(text -> {
          List<TrialRef> trials = trials(experiment, Json.parse(text));
          return dryRun ? DryRun.valid(boards.check(trials)) : start(experiment, trials);
        });
  }

  private Future<Reply> start(ExperimentId experiment, List<TrialRef> trials) {
    return boards
        .start(experiment, trials)
        .map(board ->
            Reply.created(
                ApiRouter.V1 + "/experiments/" + experiment + "/tensorboards/" + board.id(),
                shape(board)));
  }

  private static List<TrialRef> trials(ExperimentId experiment, JsonNode body) {
    JsonNode names = body.path("trials");
    if (!names.isArray() || body.size() != 1) {
      throw new Problem.Refused(
              new Finding("", "the body is {\"trials\": [ids]}, such as {\"trials\": [\"aBcD1\"]}"))
          .toException();
    }
    List<TrialRef> trials = new ArrayList<>();
    for (JsonNode name : names) {
      if (!name.isTextual() || !TrialId.valid(name.textValue())) {
        throw new Problem.Refused(
                new Finding("/trials/" + trials.size(), "the id of a trial, not " + name))
            .toException();
      }
      trials.add(new TrialRef(experiment, new TrialId(name.textValue())));
    }
    return trials;
  }

  private Future<Reply> stop(RoutingContext context) {
    Board board = boards.get(PathIds.experiment(context), context.pathParam("board"));
    return boards.stop(board).map(stopped -> Reply.empty(204));
  }

  private static ObjectNode shape(Board board) {
    ObjectNode json =
        Json.MAPPER
            .createObjectNode()
            .put("id", board.id())
            .put("url", board.url())
            .put("port", board.port())
            .put("pid", board.pid());
    ArrayNode trials = json.putArray("trials");
    board.trials().forEach(trial -> trials.add(trial.trial().value()));
    return json.put("startedAt", Wire.time(board.startedAt()));
  }
}
