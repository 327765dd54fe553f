package io.orrery.cli.trial;

import io.orrery.cli.client.Session;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Implements {@code orrery trial}. */
@Command(
    name = "trial",
    description = "Look at trials, add some, end them, try them again.",
    synopsisSubcommandLabel = "VERB",
    commandListHeading = "Verbs:%n")
public final class TrialVerbs {
  private TrialVerbs() {}

  public static CommandLine of(Session session) {
    return new CommandLine(new TrialVerbs())
        .addSubcommand(new ListTrials(session))
        .addSubcommand(new ShowTrial(session))
        .addSubcommand(new TrialLogs(session))
        .addSubcommand(new TrialMetrics(session))
        .addSubcommand(new AddTrial(session))
        .addSubcommand("kill", steer(session, "cancel", "End a trial that waits or runs."))
        .addSubcommand("retry", steer(session, "retry", "Run an ended trial once more."));
  }

  private static CommandLine steer(Session session, String action, String description) {
    CommandLine command = new CommandLine(new SteerTrial(session, action));
    command.getCommandSpec().usageMessage().description(description);
    return command;
  }
}
