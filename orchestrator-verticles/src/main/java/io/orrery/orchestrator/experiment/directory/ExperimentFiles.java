package io.orrery.orchestrator.experiment.directory;

import io.orrery.compute.attempt.AttemptLayout;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The check, at the start of a server, that the directories of trials which the database knows are
 * still in the home: one that is gone is a warning, since the numbers of its trials are elsewhere.
 */
public final class ExperimentFiles {
  private static final Logger LOG = LoggerFactory.getLogger(ExperimentFiles.class);

  /** Experiments that are named; of more the number is told. */
  private static final int NAMED = 20;

  private record Known(String id, String directory) {}

  private ExperimentFiles() {}

  /**
   * Warns of each experiment without its trials' directory; looks at one place for each.
   *
   * @param home below which experiments have their directories
   */
  public static Future<Void> check(Vertx vertx, Store store, Path home) {
    return store
        .read(
            Statement.of(
                "select experiment, min(directory) as directory from trials"
                    + " where directory is not null group by experiment order by experiment"),
            row -> new Known(row.text("experiment"), row.text("directory")))
        .compose(known ->
            vertx.executeBlocking(
                () -> {
                  warn(known.stream().filter(each -> isMissing(home, each)).toList(), home);
                  return null;
                },
                false));
  }

  private static boolean isMissing(Path home, Known known) {
    Path trials = AttemptLayout.trials(home, new ExperimentId(known.id()));
    // Trials of some platforms have their files elsewhere.
    return known.directory().contains("/experiments/" + known.id() + "/trials")
        && !Files.isDirectory(trials);
  }

  private static void warn(List<Known> missing, Path home) {
    for (Known each : missing.subList(0, Math.min(NAMED, missing.size()))) {
      LOG.warn(
          "could not find {}: the output files of experiment {} are lost, its results are not",
          AttemptLayout.trials(home, new ExperimentId(each.id())),
          each.id());
    }
    if (missing.size() > NAMED) {
      LOG.warn("the same of {} other experiments", missing.size() - NAMED);
    }
  }
}
