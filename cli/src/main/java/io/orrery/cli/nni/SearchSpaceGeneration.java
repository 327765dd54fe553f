package io.orrery.cli.nni;

import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Session;
import io.orrery.core.problem.FileFault;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code nnictl ss_gen}: runs the trial once, outside of any experiment, and the {@code nni} module
 * that it imports writes down the parameters that it asks for by name.
 */
@Command(
    name = "ss_gen",
    description = "Run a trial once and write the search space of nni.choice(…, name=…) in it.")
final class SearchSpaceGeneration implements Callable<Integer> {
  private static final String OUT = "NNI_GEN_SEARCH_SPACE";

  private final Session session;
  private final Said said;

  @Option(
      names = {"--trial_command", "-t"},
      required = true,
      paramLabel = "COMMAND",
      description = "The shell command of a trial.")
  private String command = "";

  @Option(
      names = {"--trial_dir", "-d"},
      paramLabel = "DIR",
      description = "Where it runs. Default: here.")
  private String directory = "./";

  @Option(
      names = {"--file", "-f"},
      paramLabel = "FILE",
      description = "Where to. Default: ${DEFAULT-VALUE}.")
  private String file = "nni_auto_gen_search_space.json";

  SearchSpaceGeneration(Session session, Said said) {
    this.session = session;
    this.said = said;
  }

  @Override
  public Integer call() throws InterruptedException {
    Path here = session.terminal().directory();
    Path folder = here.resolve(directory).normalize();
    if (!Files.isDirectory(folder)) {
      throw CommandFailure.refused(directory + ": there is no such folder");
    }
    Path space = here.resolve(file).toAbsolutePath().normalize();
    try {
      if (Files.deleteIfExists(space)) {
        said.line("WARNING:  " + space + " already exists, will be overwritten.");
      }
      said.info("Dry run to generate search space...");
      session.terminal().out().flush();
      int code = run(folder, space);
      if (!Files.exists(space)) {
        throw CommandFailure.failed(
            "the trial ended with exit code %d and asked for no parameter by name: nni.choice(1, 2, name='x') and its kin do"
                .formatted(code));
      }
      said.info("Generate search space done: '" + space + "'.");
      return 0;
    } catch (IOException e) {
      throw CommandFailure.failed("the trial cannot be run: " + FileFault.words(e));
    }
  }

  private int run(Path folder, Path space) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder("sh", "-c", command).directory(folder.toFile());
    builder.environment().remove("NNI_PLATFORM");
    builder.environment().put(OUT, space.toString());
    // Behind what the user set, and it steps aside for an installed one, as on trials.
    Path sdk = session.terminal().home().resolve("sdk").resolve("current").resolve("compat");
    if (Files.isDirectory(sdk)) {
      builder
          .environment()
          .merge(
              "PYTHONPATH",
              sdk.toString(),
              (before, ours) -> before.isEmpty() ? ours : before + File.pathSeparator + ours);
    }
    Process trial =
        builder
            .redirectErrorStream(true)
            .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
            .start();
    // Its output is for people: stdout holds what scripts read.
    trial.getInputStream().transferTo(session.terminal().err());
    return trial.waitFor();
  }
}
