package io.orrery.cli.nni;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.cli.client.Api;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.core.json.Json;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Implements {@code nnictl tensorboard}, as NNI 1 had it. */
@Command(
    name = "tensorboard",
    description = "TensorBoards over the output of trials.",
    synopsisSubcommandLabel = "VERB",
    commandListHeading = "Verbs:%n")
final class TensorBoards {
  private static final String ALL = "all";

  private final Session session;
  private final Said said;

  TensorBoards(Session session, Said said) {
    this.session = session;
    this.said = said;
  }

  @Command(name = "start", description = "Start one.")
  int start(
      @Mixin NniChoice chosen,
      @Option(
              names = {"--trial_id", "-T"},
              paramLabel = "TRIALS",
              defaultValue = ALL,
              description = "Ids with commas between. Default: all.")
          String trials,
      @Option(
              names = {"--port"},
              paramLabel = "P",
              description = "Has no effect: it gets the first free port from 6006 on.")
          int port) {
    Api api = session.api();
    String id = chosen.id(api);
    ObjectNode wanted = Json.MAPPER.createObjectNode();
    ArrayNode names = wanted.putArray("trials");
    if (trials.equals(ALL)) {
      api.list(Resource.of("experiments", id, "trials"), null)
          .forEach(trial -> names.add(trial.path("id").asText()));
    } else {
      List.of(trials.split(",", -1)).forEach(names::add);
    }
    if (names.isEmpty()) {
      throw CommandFailure.failed("experiment " + id + " has no trial yet");
    }
    JsonNode board = api.post(boards(id), wanted.toString(), "application/json");
    said.info("Start tensorboard success!");
    said.line("Tensorboard urls: " + board.path("url").asText());
    return 0;
  }

  @Command(name = "list", description = "Those of an experiment, as JSON.")
  int list(@Mixin NniChoice chosen) {
    said.json(session.api().get(boards(chosen.id(session.api()))).path("items"));
    return 0;
  }

  @Command(name = "stop", description = "Stop all of an experiment.")
  int stop(@Mixin NniChoice chosen) {
    Api api = session.api();
    String id = chosen.id(api);
    JsonNode all = api.get(boards(id)).path("items");
    if (all.isEmpty()) {
      throw CommandFailure.failed("experiment " + id + " has no TensorBoard");
    }
    all.forEach(board -> api.delete(boards(id).below(board.path("id").asText())));
    said.info("Stop tensorboard success!");
    return 0;
  }

  private static Resource boards(String experiment) {
    return Resource.of("experiments", experiment, "tensorboards");
  }
}
