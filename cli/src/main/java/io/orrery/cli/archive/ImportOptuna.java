package io.orrery.cli.archive;

import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Session;
import io.orrery.core.problem.FileFault;
import java.io.IOException;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs {@code orrery experiment import-optuna FILE}. */
@Command(
    name = "import-optuna",
    description = {
      "Take over a study of Optuna with all trials and metrics, from its SQLite file.",
      "Nothing in the file is changed."
    })
final class ImportOptuna implements Callable<Integer> {
  private final Session session;

  @Parameters(paramLabel = "FILE", description = "The SQLite file, such as study.db.")
  private String file = "";

  @Option(
      names = "--study",
      paramLabel = "NAME",
      description = "The study's name. Default: the only one.")
  private @Nullable String study;

  @Option(
      names = "--code-dir",
      paramLabel = "DIR",
      description = "Where the code of further trials lies. Default: here.")
  private String code = ".";

  ImportOptuna(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    return takeOver(session, file, study, code);
  }

  static int takeOver(Session session, String file, @Nullable String study, String code) {
    Path here = session.terminal().directory();
    OptunaDatabase database = new OptunaDatabase(here.resolve(file), ZoneId.systemDefault());
    try {
      String archive = database.archive(study, here.resolve(code).toAbsolutePath().normalize());
      return Restoring.said(session, Restoring.post(session, archive));
    } catch (IOException e) {
      throw CommandFailure.failed(FileFault.words(e));
    }
  }
}
