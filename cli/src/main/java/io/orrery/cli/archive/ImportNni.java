package io.orrery.cli.archive;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Session;
import io.orrery.core.problem.FileFault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Implements {@code orrery experiment import-nni DIR}. */
@Command(
    name = "import-nni",
    description = {
      "Take over an experiment of NNI with all trials and metrics; it may then be resumed.",
      "Nothing in its directory is changed. Stop it in NNI first."
    })
final class ImportNni implements Callable<Integer> {
  private final Session session;

  @Parameters(
      paramLabel = "DIR",
      description = "Its directory, such as ~/nni-experiments/GHFnkv3k.")
  private String directory = "";

  @Option(
      names = "--code-dir",
      paramLabel = "DIR",
      description = "Where the trials' code lies now. Default: where it was.")
  private @Nullable String code;

  ImportNni(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    Path here = session.terminal().directory();
    JsonNode restored =
        takeOver(
            session,
            here.resolve(directory),
            code == null ? null : here.resolve(code).toAbsolutePath().normalize());
    return Restoring.said(session, restored);
  }

  /**
   * Takes over what lies in a directory.
   *
   * @param code where the trials' code lies now; null for where it was
   * @throws CommandFailure refused, when there is no experiment, or none that can be had here
   */
  static JsonNode takeOver(Session session, Path directory, @Nullable Path code) {
    Path file = directory.resolve("db").resolve("nni.sqlite");
    if (!Files.exists(file)) {
      throw CommandFailure.refused(
          directory + " is no directory of an experiment: there is no db/nni.sqlite in it");
    }
    try {
      return Restoring.post(session, new NniDatabase(file).archive(code));
    } catch (IOException e) {
      throw CommandFailure.failed(FileFault.words(e));
    }
  }
}
