package io.orrery.cli.archive;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.Session;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** The verbs of this package, which stand among those of {@code experiment}. */
public final class ArchiveVerbs {
  private ArchiveVerbs() {}

  /** Adds them; returns the group. */
  public static CommandLine addTo(CommandLine experiment, Session session) {
    return experiment
        .addSubcommand(new SaveExperiment(session))
        .addSubcommand(new LoadExperiment(session))
        .addSubcommand(new ImportNni(session))
        .addSubcommand(new ImportOptuna(session));
  }

  /** Takes over an experiment of NNI, as {@code import-nni} does; the API's answer. */
  public static JsonNode takeOver(Session session, Path directory) {
    return ImportNni.takeOver(session, directory, null);
  }

  /** Takes over a study of Optuna, as {@code import-optuna} does; the exit code. */
  public static int importOptuna(Session session, String file, @Nullable String study) {
    return ImportOptuna.takeOver(session, file, study, ".");
  }
}
