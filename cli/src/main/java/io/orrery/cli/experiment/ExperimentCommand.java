package io.orrery.cli.experiment;

import io.orrery.cli.client.Session;
import io.orrery.cli.server.Interrupts;
import io.orrery.cli.server.ServerProgram;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Implements {@code orrery experiment}, the verbs in the order of an experiment's life. */
@Command(
    name = "experiment",
    description = "Run experiments, look at them, steer them.",
    synopsisSubcommandLabel = "VERB",
    commandListHeading = "Verbs:%n")
public final class ExperimentCommand {
  private ExperimentCommand() {}

  public static CommandLine of(
      Session session, ServerProgram program, Supplier<Interrupts> interrupts) {
    return new CommandLine(new ExperimentCommand())
        .addSubcommand(new RunExperiment(session, program, interrupts))
        .addSubcommand(new CreateExperiment(session))
        .addSubcommand(new SimulateExperiment(session))
        .addSubcommand(new ListExperiments(session))
        .addSubcommand(new ShowExperiment(session))
        .addSubcommand(new ShowFront(session))
        .addSubcommand(new TopExperiment(session, interrupts))
        .addSubcommand(
            "stop", steer(session, "stop", "Stop an experiment and its trials; it can be resumed."))
        .addSubcommand(
            "pause", steer(session, "pause", "Start no more trials; those that run go on."))
        .addSubcommand(
            "resume", steer(session, "resume", "Go on with a paused or stopped experiment."))
        .addSubcommand(new UpdateExperiment(session))
        .addSubcommand(new ExperimentLogs(session))
        .addSubcommand(new ExportExperiment(session))
        .addSubcommand(new ImportResults(session))
        .addSubcommand(new ConvertExperiment(session))
        .addSubcommand(new DeleteExperiment(session));
  }

  /**
   * What {@code orrery experiment run FILE} does.
   *
   * @param port where NNI's clients shall find the experiment, null for nowhere of its own
   * @param prefix a step of the path at which NNI's API of it also is, null for none
   * @return the exit code
   */
  public static int run(
      Session session,
      ServerProgram program,
      Supplier<Interrupts> interrupts,
      String file,
      @Nullable Integer port,
      @Nullable String prefix) {
    return new RunExperiment(session, program, interrupts).run(file, port, prefix);
  }

  private static CommandLine steer(Session session, String action, String description) {
    CommandLine command = new CommandLine(new SteerExperiment(session, action));
    command.getCommandSpec().usageMessage().description(description);
    return command;
  }
}
