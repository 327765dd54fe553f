package io.orrery.cli.nni;

import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Session;
import io.orrery.core.problem.FileFault;
import io.orrery.core.process.UserEnvironment;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Implements {@code nnictl ss_gen}. Where the trial's code has annotations in comments they are
 * read, and nothing is run. Else the trial runs once, outside of any experiment, and the {@code
 * nni} module that it imports writes down the parameters that it asks for by name.
 */
@Command(
    name = "ss_gen",
    description =
        "Write the search space of a trial's code: what its annotations @nni.variable(…) describe;"
            + " without any it is run once, and nni.choice(…, name=…) in it does.")
final class SearchSpaceGeneration implements Callable<Integer> {
  private static final String OUT = "NNI_GEN_SEARCH_SPACE";

  /** How the reader of annotations ends when there are none. */
  private static final int NO_ANNOTATIONS = 3;

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

  @Option(
      names = {"--plain_dir", "-p"},
      paramLabel = "NEW",
      description = "Also write annotated code as plain code, with all else, to this new folder.")
  private @Nullable String plain;

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
      if (Files.exists(space)) {
        said.line("WARNING:  " + space + " already exists, will be overwritten.");
      }
      if (!readAnnotations(folder, space)) {
        dryRun(folder, space);
      }
      said.info("Generate search space done: '" + space + "'.");
      return 0;
    } catch (IOException e) {
      throw CommandFailure.failed("the trial cannot be run: " + FileFault.words(e));
    }
  }

  /** Whether there were any. */
  private boolean readAnnotations(Path folder, Path space)
      throws IOException, InterruptedException {
    Path sdk = sdk();
    if (!Files.isDirectory(sdk)) {
      return false;
    }
    List<String> reader =
        new ArrayList<>(
            List.of(
                "python3", "-B", "-m", "orrery_annotation", folder.toString(), space.toString()));
    if (plain != null) {
      reader.add(session.terminal().directory().resolve(plain).normalize().toString());
    }
    ProcessBuilder builder = new ProcessBuilder(reader);
    builder.environment().put("PYTHONPATH", sdk.toString());
    int code = run(builder);
    if (code == NO_ANNOTATIONS && plain != null) {
      throw CommandFailure.failed("the code in " + directory + " has no annotations");
    }
    if (code != 0 && code != NO_ANNOTATIONS) {
      throw CommandFailure.failed("the annotations in " + directory + " cannot be used");
    }
    return code == 0;
  }

  private void dryRun(Path folder, Path space) throws IOException, InterruptedException {
    Files.deleteIfExists(space);
    said.info("Dry run to generate search space...");
    session.terminal().out().flush();
    ProcessBuilder builder = new ProcessBuilder("sh", "-c", command).directory(folder.toFile());
    builder.environment().clear();
    builder.environment().putAll(UserEnvironment.get());
    builder.environment().remove("NNI_PLATFORM");
    builder.environment().put(OUT, space.toString());
    // Behind what the user set, and it steps aside for an installed one, as on trials.
    Path compat = sdk().resolve("compat");
    if (Files.isDirectory(compat)) {
      builder
          .environment()
          .merge(
              "PYTHONPATH",
              compat.toString(),
              (before, ours) -> before.isEmpty() ? ours : before + File.pathSeparator + ours);
    }
    int code = run(builder);
    if (!Files.exists(space)) {
      throw CommandFailure.failed(
          "the trial ended with exit code %d and asked for no parameter by name: nni.choice(1, 2, name='x') and its kin do"
              .formatted(code));
    }
  }

  /** Where a server of this home has unpacked it; there is none before the first start. */
  private Path sdk() {
    return session.terminal().home().resolve("sdk").resolve("current");
  }

  private int run(ProcessBuilder builder) throws IOException, InterruptedException {
    Process process =
        builder
            .redirectErrorStream(true)
            .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
            .start();
    // Its output is for people: stdout holds what scripts read.
    process.getInputStream().transferTo(session.terminal().err());
    return process.waitFor();
  }
}
