package io.orrery.cli.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Session;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code orrery experiment update}. */
@Command(name = "update", description = "Change the limits or the search space of an experiment.")
final class UpdateExperiment implements Callable<Integer> {
  private final Session session;

  @Mixin private ExperimentChoice choice = new ExperimentChoice();

  @Option(names = "--concurrency", paramLabel = "N", description = "Trials at the same time.")
  private @Nullable Integer concurrency;

  @Option(names = "--max-trials", paramLabel = "N", description = "Trials in all.")
  private @Nullable Integer maxTrials;

  @Option(
      names = "--max-duration",
      paramLabel = "T",
      description = "How long it may run: seconds, or with a unit as in 90m, 2h, 1d.")
  private @Nullable String maxDuration;

  @Option(
      names = "--search-space",
      paramLabel = "FILE",
      description = "A new search space, JSON or YAML.")
  private @Nullable String searchSpace;

  UpdateExperiment(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    ExperimentPatch patch = patch();
    if (patch.isEmpty()) {
      throw CommandFailure.refused(
          "nothing to change; give one of --concurrency, --max-trials, --max-duration, --search-space");
    }
    String experiment = choice.id(session.api());
    JsonNode answer = patch.apply(session.api(), experiment);
    if (session.json()) {
      session.print(answer);
    } else {
      session.terminal().say("experiment " + experiment + " is changed");
    }
    return 0;
  }

  private ExperimentPatch patch() {
    ExperimentPatch patch = new ExperimentPatch();
    if (concurrency != null) {
      patch.trialConcurrency(concurrency);
    }
    if (maxTrials != null) {
      patch.maxTrialNumber(maxTrials);
    }
    if (maxDuration != null) {
      patch.maxExperimentDuration(maxDuration);
    }
    if (searchSpace != null) {
      patch.searchSpace(ConfigFile.read(searchSpace, session.terminal()).root());
    }
    return patch;
  }
}
