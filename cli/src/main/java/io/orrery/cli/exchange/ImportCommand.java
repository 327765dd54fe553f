package io.orrery.cli.exchange;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.orrery.cli.archive.ArchiveVerbs;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Session;
import io.orrery.core.problem.FileFault;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The verbs that take over what other programs have: {@code orrery import}. */
@Command(
    name = "import",
    description = "Take over studies and runs of other programs. Nothing there is changed.",
    synopsisSubcommandLabel = "PROGRAM",
    commandListHeading = "Programs:%n")
public final class ImportCommand {
  private final Session session;

  public ImportCommand(Session session) {
    this.session = session;
  }

  @Command(
      name = "optuna",
      description = "A study, from its SQLite file: it becomes an experiment that has ended.")
  int optuna(
      @Parameters(paramLabel = "FILE", description = "The SQLite file, such as study.db.")
          String file,
      @Option(
              names = "--study",
              paramLabel = "NAME",
              description = "The study's name. Default: the only one.")
          @Nullable String study) {
    return ArchiveVerbs.importOptuna(session, file, study);
  }

  @Command(
      name = "mlflow",
      description = {
        "Runs with their points and artifacts, from a folder mlruns: they become tracked runs.",
        "What was imported before is left out."
      })
  int mlflow(
      @Parameters(paramLabel = "DIR", description = "The folder mlruns.") Path folder,
      @Option(
              names = "--experiment",
              paramLabel = "NAME",
              description = "Only the runs of this one. Default: all.")
          @Nullable String wanted,
      @Option(
              names = "--project",
              paramLabel = "P",
              description = "Their project. Default: public.")
          @Nullable String project) {
    try {
      long added = 0;
      long present = 0;
      boolean any = false;
      ForeignFiles files = new ForeignFiles(session.terminal()::say);
      MlflowFolder mlflow = new MlflowFolder(here(folder), files);
      for (MlflowFolder.Found each : mlflow.experiments()) {
        if (wanted == null || wanted.equals(each.name())) {
          any = true;
          TrackedUpload upload = TrackedUpload.into(session.api(), each.name(), project, files);
          mlflow.runs(each, upload::add);
          added += upload.added();
          present += upload.present();
        }
      }
      if (!any) {
        throw CommandFailure.refused(folder + " has no experiment '" + wanted + "'");
      }
      return said(added, present);
    } catch (IOException e) {
      throw CommandFailure.failed(FileFault.words(e));
    }
  }

  @Command(
      name = "wandb-export",
      description = {
        "Runs of Weights & Biases, from a folder with a directory for each: they become tracked"
            + " runs.",
        "What was imported before is left out."
      })
  int wandb(
      @Parameters(paramLabel = "DIR", description = "The folder, such as wandb.") Path folder,
      @Option(
              names = "--experiment",
              paramLabel = "NAME",
              description = "The experiment that they become part of. Default: the folder's name.")
          @Nullable String name,
      @Option(names = "--project", paramLabel = "P", description = "Its project. Default: public.")
          @Nullable String project) {
    try {
      Path directory = here(folder);
      ForeignFiles files = new ForeignFiles(session.terminal()::say);
      WandbFolder wandb = new WandbFolder(directory, files);
      var runs = wandb.runs();
      TrackedUpload upload =
          TrackedUpload.into(
              session.api(),
              name == null ? String.valueOf(directory.getFileName()) : name,
              project,
              files);
      for (Path run : runs) {
        upload.add(wandb.read(run));
      }
      return said(upload.added(), upload.present());
    } catch (IOException e) {
      throw CommandFailure.failed(FileFault.words(e));
    }
  }

  private Path here(Path folder) {
    return session.terminal().directory().resolve(folder).toAbsolutePath().normalize();
  }

  private int said(long added, long present) {
    if (session.json()) {
      session.print(
          JsonNodeFactory.instance.objectNode().put("added", added).put("present", present));
    } else {
      session
          .terminal()
          .out()
          .println(
              "%,d runs added%s"
                  .formatted(
                      added, present == 0 ? "" : ", %,d were here already".formatted(present)));
    }
    return 0;
  }
}
