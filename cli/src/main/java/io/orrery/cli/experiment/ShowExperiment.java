package io.orrery.cli.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.Session;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * {@code orrery experiment show}, and {@code view}: an ended experiment needs no process to be
 * seen.
 */
@Command(name = "show", aliases = "view", description = "Show an experiment, running or ended.")
final class ShowExperiment implements Callable<Integer> {
  private final Session session;

  @Parameters(
      arity = "0..1",
      paramLabel = "ID",
      description = "Its id or the beginning of it. Default: the only active one.")
  private @Nullable String id;

  ShowExperiment(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    JsonNode experiment = ExperimentChoice.of(session.api(), id);
    if (session.json()) {
      session.print(experiment);
    } else {
      ExperimentSheet.print(experiment, session.terminal());
    }
    return 0;
  }
}
