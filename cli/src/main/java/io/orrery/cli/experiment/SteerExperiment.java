package io.orrery.cli.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code orrery experiment stop}, {@code pause} and {@code resume}. */
@Command
final class SteerExperiment implements Callable<Integer> {
  private final Session session;
  private final String action;

  @Parameters(
      arity = "0..1",
      paramLabel = "ID",
      description = "Its id or the beginning of it. Default: the only active one.")
  private @Nullable String id;

  /**
   * @param action the verb, which is also the last part of the API's path
   */
  SteerExperiment(Session session, String action) {
    this.session = session;
    this.action = action;
  }

  @Override
  public Integer call() {
    String experiment = ExperimentChoice.idOf(session.api(), id);
    JsonNode answer = session.api().post(Resource.of("experiments", experiment, action));
    if (session.json()) {
      session.print(answer);
    } else {
      session.terminal().say("experiment " + experiment + " is " + answer.path("status").asText());
    }
    return 0;
  }
}
