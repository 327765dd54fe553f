package io.orrery.cli.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.DryRunOption;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Implements {@code orrery experiment stop}, {@code pause} and {@code resume}. */
@Command
final class SteerExperiment implements Callable<Integer> {
  private final Session session;
  private final String action;

  @Mixin private ExperimentChoice choice = new ExperimentChoice();

  @Mixin private DryRunOption dryRun = new DryRunOption();

  /**
   * @param action the verb, which is also the last part of the API's path
   */
  SteerExperiment(Session session, String action) {
    this.session = session;
    this.action = action;
  }

  @Override
  public Integer call() {
    String experiment = choice.id(session.api());
    JsonNode answer = session.api().post(dryRun.at(Resource.of("experiments", experiment, action)));
    if (session.json()) {
      session.print(answer);
    } else {
      String said = "experiment " + experiment + " is " + answer.path("status").asText();
      session.terminal().say(dryRun.said(said));
    }
    return 0;
  }
}
