package io.orrery.cli.trial;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.DryRunOption;
import io.orrery.cli.client.Session;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Implements {@code orrery trial kill} and {@code retry}. */
@Command
final class SteerTrial implements Callable<Integer> {
  private final Session session;
  private final String action;

  @Mixin private TrialChoice choice = new TrialChoice();

  @Mixin private DryRunOption dryRun = new DryRunOption();

  /**
   * @param action the last part of the API's path
   */
  SteerTrial(Session session, String action) {
    this.session = session;
    this.action = action;
  }

  @Override
  public Integer call() {
    JsonNode trial = session.api().post(dryRun.at(choice.resource(session.api(), action)));
    if (session.json()) {
      session.print(trial);
    } else {
      String said = "trial " + trial.path("id").asText() + " is " + trial.path("status").asText();
      session.terminal().say(dryRun.said(said));
    }
    return 0;
  }
}
