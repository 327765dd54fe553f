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

/** {@code orrery experiment import-nni DIR}. */
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
    Path given = session.terminal().directory().resolve(directory);
    Path file = given.resolve("db").resolve("nni.sqlite");
    if (!Files.exists(file)) {
      throw CommandFailure.refused(
          directory + " is no directory of an experiment: there is no db/nni.sqlite in it");
    }
    try {
      String archive =
          new NniDatabase(file)
              .archive(
                  code == null
                      ? null
                      : session.terminal().directory().resolve(code).toAbsolutePath().normalize());
      JsonNode restored = Restoring.post(session, archive);
      return Restoring.said(session, restored);
    } catch (IOException e) {
      throw CommandFailure.failed(FileFault.words(e));
    }
  }
}
