package io.orrery.cli.nni;

import io.orrery.cli.archive.ArchiveVerbs;
import io.orrery.cli.client.Session;
import io.orrery.cli.experiment.ExperimentCommand;
import io.orrery.cli.platform.PlatformCommand;
import io.orrery.cli.server.Interrupts;
import io.orrery.cli.server.ServerProgram;
import io.orrery.cli.trial.TrialVerbs;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** The verbs that {@code nnictl} has besides those of {@code orrery}. */
public final class Nnictl {
  private Nnictl() {}

  /**
   * Adds them, in the order of NNI's reference. Of two with one name NNI's holds; the groups {@code
   * experiment} and {@code trial} keep the verbs of ours that NNI does not know.
   */
  public static void add(
      Map<String, Supplier<Object>> verbs,
      Session session,
      ServerProgram program,
      Supplier<Interrupts> interrupts) {
    Said said = new Said(session);
    verbs.put("create", () -> new Create(session, said, program, interrupts));
    verbs.put("resume", () -> new Resume(session, said, program, interrupts));
    verbs.put("view", () -> new View(session, said));
    verbs.put("stop", () -> new Stop(session, said));
    verbs.put("update", () -> new Update(session, said));
    verbs.put(
        "trial",
        () -> joined(new CommandLine(new NniTrialVerbs(session, said)), TrialVerbs.of(session)));
    verbs.put("top", () -> new Top(session, interrupts));
    verbs.put(
        "experiment",
        () ->
            joined(
                new CommandLine(new NniExperiments(session, said)),
                ArchiveVerbs.addTo(ExperimentCommand.of(session, program, interrupts), session)));
    verbs.put(
        "platform",
        () ->
            joined(
                new CommandLine(new Platform(session, said)),
                new CommandLine(new PlatformCommand(session))));
    verbs.put("webui", () -> new WebUi(session, said));
    verbs.put("config", () -> new NniConfig(session, said));
    verbs.put("log", () -> new Logs(session, said));
    verbs.put("algo", () -> new NniAlgorithms(session, said));
    verbs.put("trainingservice", () -> new NniTrainingServices(session, said));
    verbs.put("tensorboard", () -> new TensorBoards(session, said));
    verbs.put("ss_gen", () -> new SearchSpaceGeneration(session, said));
    verbs.put("package", () -> new Packages(new NniAlgorithms(session, said), said));
    verbs.put("jupyter-extension", () -> new JupyterExtension(session, said));
    verbs.put("hello", () -> new Hello(session, said));
  }

  private static CommandLine joined(CommandLine theirs, CommandLine ours) {
    CommandSpec group = theirs.getCommandSpec();
    ours.getSubcommands()
        .forEach((name, verb) -> {
          if (!group.subcommands().containsKey(name)) {
            group.addSubcommand(name, verb);
          }
        });
    return theirs;
  }
}
