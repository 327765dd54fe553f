package io.orrery.cli.nni;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.Api;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.experiment.ExperimentChoice;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code nnictl stop}: by id, by its beginning, {@code prefix*} for several, or all. */
@Command(name = "stop", description = "Stop an experiment; it can be resumed.")
final class Stop implements Callable<Integer> {
  private final Session session;
  private final Said said;

  @Mixin private ExperimentChoice chosen = new ExperimentChoice();

  @Option(
      names = {"--port", "-p"},
      paramLabel = "P",
      description = "The one that NNI's clients find at this port.")
  private @Nullable Integer port;

  @Option(
      names = {"--all", "-a"},
      description = "All that have not ended.")
  private boolean all;

  Stop(Session session, Said said) {
    this.session = session;
    this.said = said;
  }

  @Override
  public Integer call() {
    Api api = NniServer.at(session, port);
    for (JsonNode experiment : meant(api)) {
      String id = experiment.path("id").asText();
      if (!ExperimentChoice.hasEnded(experiment)) {
        said.info("Stopping experiment " + id);
        api.post(Resource.of("experiments", id, "stop"));
      }
      said.info("Stop experiment success.");
    }
    return 0;
  }

  private List<JsonNode> meant(Api api) {
    String given = Objects.requireNonNullElse(chosen.given(), "");
    if (port != null && !all) {
      return List.of(at(port, given, IndexEntries.of(api).goingAt(port)));
    }
    boolean several = given.endsWith("*");
    if (!all && !given.equals("all") && !several) {
      return List.of(chosen.experiment(api));
    }
    String beginning = several ? given.substring(0, given.length() - 1) : "";
    return api.list(Resource.of("experiments"), null).stream()
        .filter(e -> e.path("id").asText().startsWith(beginning))
        .filter(e -> !ExperimentChoice.hasEnded(e))
        .toList();
  }

  /** An id that is given besides must be that of the experiment there. */
  private static JsonNode at(int port, String id, List<JsonNode> there) {
    List<JsonNode> fitting =
        there.stream().filter(entry -> entry.path("id").asText().startsWith(id)).toList();
    if (fitting.size() != 1) {
      String which = id.isEmpty() ? "experiment" : "experiment '" + id + "'";
      throw CommandFailure.failed(
          fitting.isEmpty()
              ? "no " + which + " that has not ended is at port " + port
              : "several experiments are at port " + port + "; say which one");
    }
    return fitting.getFirst();
  }
}
