package io.orrery.cli.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * Implements {@code orrery experiment show}, and {@code view}: an ended experiment needs no process
 * to be seen.
 */
@Command(name = "show", aliases = "view", description = "Show an experiment, running or ended.")
final class ShowExperiment implements Callable<Integer> {
  private final Session session;

  @Mixin private ExperimentChoice choice = new ExperimentChoice();

  ShowExperiment(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    JsonNode experiment = choice.shown(session);
    if (session.json()) {
      session.print(experiment);
    } else {
      ExperimentSheet.print(experiment, firstWaiting(experiment), session.terminal());
    }
    return 0;
  }

  private JsonNode firstWaiting(JsonNode experiment) {
    if (experiment.path("trialCounts").path("WAITING").asLong() == 0) {
      return MissingNode.getInstance();
    }
    Resource waiting =
        Resource.of("experiments", experiment.path("id").asText(), "trials")
            .with("status", "WAITING")
            .with("sort", "sequenceId");
    return session.api().list(waiting, 1).stream().findFirst().orElse(MissingNode.getInstance());
  }
}
