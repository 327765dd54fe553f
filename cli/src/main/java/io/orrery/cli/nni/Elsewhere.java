package io.orrery.cli.nni;

import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Session;
import io.orrery.cli.experiment.ConfigFile;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Unmatched;

/** Verbs of NNI for what is done in another way here; each says in which. */
final class Elsewhere {
  private Elsewhere() {}

  /** {@code nnictl ss_gen}, which read annotations out of code. */
  @Command(name = "ss_gen", description = "Not available: annotations are not supported.")
  static final class SearchSpaceOfAnnotations implements Callable<Integer> {
    @Unmatched
    @SuppressWarnings("UnusedVariable")
    private List<String> anything = new ArrayList<>();

    @Override
    public Integer call() {
      throw CommandFailure.failed(
          "annotations are not supported, as in NNI 3: write the search space into the configuration, `searchSpace: {lr: {_type: loguniform, _value: [0.0001, 0.1]}}`");
    }
  }

  /** {@code nnictl platform}. */
  @Command(
      name = "platform",
      description = "Where trials run.",
      synopsisSubcommandLabel = "VERB",
      commandListHeading = "Verbs:%n")
  static final class Platform {
    private final Session session;
    private final Said said;

    Platform(Session session, Said said) {
      this.session = session;
      this.said = said;
    }

    @Command(
        name = "clean",
        description = "Remove what trials left on a platform: deleting an experiment does so.")
    int clean(
        @Option(
                names = {"--config", "-c"},
                required = true,
                paramLabel = "FILE",
                description = "The configuration of an experiment there.")
            String config) {
      ConfigFile.read(config, session.terminal()).root();
      said.info(
          "Nothing to clean: `nnictl experiment delete` removes what an experiment's trials left.");
      return 0;
    }
  }

  /** What {@code nnictl algo register} and {@code unregister} do: the exit code of a failure. */
  static int unregistered(Session session, String verb) {
    session
        .terminal()
        .say(
            "`algo "
                + verb
                + "` is not available, and not needed: name the class in the configuration, `tuner: {className: my_tuner.MyTuner, codeDirectory: /path}`");
    return CommandFailure.FAILED;
  }
}
