package io.orrery.cli.archive;

import io.orrery.cli.client.Session;
import picocli.CommandLine;

/** The verbs of this package, which stand among those of {@code experiment}. */
public final class ArchiveVerbs {
  private ArchiveVerbs() {}

  /** Adds them; returns the group. */
  public static CommandLine addTo(CommandLine experiment, Session session) {
    return experiment
        .addSubcommand(new SaveExperiment(session))
        .addSubcommand(new LoadExperiment(session))
        .addSubcommand(new ImportNni(session));
  }
}
