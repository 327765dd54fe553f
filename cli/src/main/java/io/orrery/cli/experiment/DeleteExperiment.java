package io.orrery.cli.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * Implements {@code orrery experiment delete ID}: takes the whole id only, for there is no way
 * back.
 */
@Command(
    name = "delete",
    description = "Delete an experiment that has ended, with its trials, metrics and logs.")
final class DeleteExperiment implements Callable<Integer> {
  private final Session session;

  @Parameters(paramLabel = "ID", description = "Its whole id.")
  private String id = "";

  DeleteExperiment(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    JsonNode answer =
        session.api().delete(Resource.of("experiments", ExperimentChoice.checked(id)));
    if (session.json()) {
      session.print(answer);
    } else {
      session.terminal().say("experiment " + id + " is deleted");
      answer.path("notices").forEach(notice -> session.terminal().say(notice.asText()));
    }
    return 0;
  }
}
