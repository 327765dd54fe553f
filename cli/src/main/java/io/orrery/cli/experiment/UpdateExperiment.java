package io.orrery.cli.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Count;
import io.orrery.cli.client.DryRunOption;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.print.Words;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Implements {@code orrery experiment update}. */
@Command(name = "update", description = "Change the limits or the search space of an experiment.")
final class UpdateExperiment implements Callable<Integer> {
  private final Session session;

  @Mixin private ExperimentChoice choice = new ExperimentChoice();

  @Mixin private DryRunOption dryRun = new DryRunOption();

  @Option(
      names = "--concurrency",
      converter = Count.class,
      paramLabel = "N",
      description = "Trials at the same time.")
  private @Nullable Integer concurrency;

  @Option(
      names = "--max-trials",
      converter = Count.class,
      paramLabel = "N",
      description = "Trials in all.")
  private @Nullable Integer maxTrials;

  @Option(
      names = "--max-duration",
      paramLabel = "T",
      description = "How long it may run: seconds, or with a unit as in 90m, 2h, 1d.")
  private @Nullable String maxDuration;

  @Option(
      names = "--max-failed-trials",
      converter = Count.class,
      paramLabel = "N",
      description = "Failed trials in all, after which the experiment ends with an error.")
  private @Nullable Integer maxFailedTrials;

  @Option(
      names = "--max-failures-in-row",
      converter = Count.class,
      paramLabel = "N",
      description = "Failed trials one after the other, after which it ends with an error.")
  private @Nullable Integer maxFailuresInRow;

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
          "nothing to change; give one of --concurrency, --max-trials, --max-duration,"
              + " --max-failed-trials, --max-failures-in-row, --search-space");
    }
    JsonNode before = choice.experiment(session.api());
    String experiment = before.path("id").asText();
    JsonNode answer =
        session.api().patch(dryRun.at(Resource.of("experiments", experiment)), patch.body());
    if (session.json()) {
      session.print(answer);
      return 0;
    }
    session
        .terminal()
        .say(
            dryRun.said(
                "experiment " + experiment + (dryRun.isAsked() ? " can be" : " is") + " changed"));
    for (String key : patch.keys()) {
      session.terminal().out().println(changed(key, before, answer));
    }
    return 0;
  }

  private static String changed(String key, JsonNode before, JsonNode after) {
    if (key.equals("searchSpace")) {
      return key + ": " + parameters(before) + " → " + parameters(after);
    }
    String was = limit(key, before);
    String is = limit(key, after);
    return key + ": " + (was.equals(is) ? was + ", as before" : was + " → " + is);
  }

  private static String limit(String key, JsonNode experiment) {
    JsonNode own = experiment.path(key);
    JsonNode value = own.isMissingNode() ? experiment.path("config").path(key) : own;
    if (!value.isNumber()) {
      return "unlimited";
    }
    return key.equals("maxExperimentDuration")
        ? Words.duration(Duration.ofSeconds(value.asLong()))
        : Words.value(value);
  }

  private static String parameters(JsonNode experiment) {
    List<String> names = new ArrayList<>();
    experiment.path("config").path("searchSpace").fieldNames().forEachRemaining(names::add);
    return names.isEmpty() ? "?" : String.join(", ", names);
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
    if (maxFailedTrials != null) {
      patch.limit("maxFailedTrials", maxFailedTrials);
    }
    if (maxFailuresInRow != null) {
      patch.limit("maxFailuresInRow", maxFailuresInRow);
    }
    if (searchSpace != null) {
      patch.searchSpace(ConfigFile.read(searchSpace, session.terminal()).root());
    }
    return patch;
  }
}
