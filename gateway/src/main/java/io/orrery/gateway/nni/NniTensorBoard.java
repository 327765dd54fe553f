package io.orrery.gateway.nni;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RequestBody;
import io.orrery.gateway.http.RouteNeed;
import io.orrery.gateway.tensorboard.Board;
import io.orrery.gateway.tensorboard.Boards;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.List;

/**
 * The NNI calls {@code tensorboard} and {@code tensorboard-tasks}. A task is listed from when it
 * serves until it is stopped: its status is RUNNING.
 */
final class NniTensorBoard {
  private static final int MOST_BYTES = 64 << 10;

  /** What NNI answers when it cannot start one. */
  private static final int NOT_STARTED = 400;

  private final RequestBody bodies;
  private final NniTarget target;
  private final Boards boards;

  NniTensorBoard(RequestBody bodies, NniTarget target, Boards boards) {
    this.bodies = bodies;
    this.target = target;
    this.boards = boards;
  }

  void mount(ApiRouter router, String base) {
    router.post(base + "/tensorboard", RouteNeed.SERVER, NniErrors.told(NOT_STARTED, this::start));
    router.get(
        base + "/tensorboard/:board",
        RouteNeed.SERVER,
        NniErrors.told(context -> board(context).map(board -> Reply.ok(task(board, "RUNNING")))));
    router.put(
        base + "/tensorboard/:board",
        RouteNeed.SERVER,
        NniErrors.told(context ->
            board(context)
                .compose(
                    board -> boards.refresh(board).map(read -> Reply.ok(task(board, "RUNNING"))))));
    router.delete(
        base + "/tensorboard/:board",
        RouteNeed.SERVER,
        NniErrors.told(context ->
            board(context)
                .compose(
                    board -> boards.stop(board).map(gone -> Reply.ok(task(board, "STOPPED"))))));
    router.get(base + "/tensorboard-tasks", RouteNeed.SERVER, NniErrors.told(this::list));
    router.delete(base + "/tensorboard-tasks", RouteNeed.SERVER, NniErrors.told(this::stopAll));
  }

  private Future<Reply> start(RoutingContext context) {
    return bodies
        .text(context, MOST_BYTES)
        .compose(text -> {
          JsonNode names = Json.parse(text).path("trials");
          return target
              .id(context)
              .compose(id -> boards.start(id, trials(id, names.asText())))
              .map(board -> Reply.ok(task(board, "RUNNING")));
        });
  }

  private static List<TrialRef> trials(ExperimentId experiment, String names) {
    List<TrialRef> trials = new ArrayList<>();
    for (String name : names.split(",", -1)) {
      if (!TrialId.valid(name)) {
        throw new Problem.Refused(
                new Finding("", "the trials are ids with commas between, not '" + names + "'"))
            .toException();
      }
      trials.add(new TrialRef(experiment, new TrialId(name)));
    }
    return trials;
  }

  private Future<Board> board(RoutingContext context) {
    return target.id(context).map(id -> boards.get(id, context.pathParam("board")));
  }

  private Future<Reply> list(RoutingContext context) {
    return target
        .id(context)
        .map(id -> {
          ArrayNode tasks = Json.MAPPER.createArrayNode();
          boards.of(id).forEach(board -> tasks.add(task(board, "RUNNING")));
          return Reply.ok(tasks);
        });
  }

  private Future<Reply> stopAll(RoutingContext context) {
    return target
        .id(context)
        .compose(id -> Future.all(boards.of(id).stream().map(boards::stop).toList()))
        .map(gone -> Reply.empty(200));
  }

  private static ObjectNode task(Board board, String status) {
    ObjectNode json = Json.MAPPER.createObjectNode().put("id", board.id()).put("status", status);
    ArrayNode trials = json.putArray("trialJobIdList");
    board.trials().forEach(trial -> trials.add(trial.trial().value()));
    ArrayNode directories = json.putArray("trialLogDirectoryList");
    board.directories().forEach(directory -> directories.add(directory.toString()));
    return json.put("pid", board.pid()).put("port", Integer.toString(board.port()));
  }
}
