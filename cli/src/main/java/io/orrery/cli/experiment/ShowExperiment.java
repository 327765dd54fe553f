package io.orrery.cli.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.Session;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * {@code orrery experiment show}, and {@code view}: an ended experiment needs no process to be
 * seen.
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
    JsonNode experiment = choice.experiment(session.api());
    if (session.json()) {
      session.print(experiment);
    } else {
      ExperimentSheet.print(experiment, session.terminal());
    }
    return 0;
  }
}
