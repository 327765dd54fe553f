package io.orrery.orchestrator.experiment.transfer;

import io.orrery.core.experiment.Experiment;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.trial.TrialStatus;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Ranks earlier experiments by what their search spaces have in common with a new one. */
final class Resemblance {
  /** With fewer successful trials there is nothing to learn. */
  private static final long FEWEST = 10;

  private final SearchSpace space;

  Resemblance(SearchSpace space) {
    this.space = space;
  }

  /**
   * An earlier experiment.
   *
   * @param common how many parameters have the same type and range in both, and the same name or a
   *     like one
   */
  private record Ranked(Experiment experiment, Map<String, String> renamed, long common) {}

  private Ranked ranked(Experiment experiment) {
    SearchSpace other = experiment.spec().search().space();
    long named =
        space.dimensions().entrySet().stream()
            .filter(entry -> entry.getValue().equals(other.dimensions().get(entry.getKey())))
            .count();
    Map<String, String> renamed = Renaming.alike(space, other);
    return new Ranked(experiment, renamed, named + renamed.size());
  }

  /** Whether there is something to learn. */
  private static boolean teaches(Experiment other) {
    return other.status().isFinal()
        && other.trialCounts().getOrDefault(TrialStatus.SUCCEEDED, 0L) >= FEWEST;
  }

  /** Whether a search may learn from an experiment without being told to. */
  private boolean resembles(Ranked other) {
    return other.common() > 0 && 2 * other.common() >= space.dimensions().size();
  }

  /** Those that resemble it, the most similar first, and of equals the newest. */
  List<ChosenSource> best(List<Experiment> earlier, int most) {
    return earlier.stream()
        .filter(Resemblance::teaches)
        .map(this::ranked)
        .filter(this::resembles)
        .sorted(
            Comparator.comparingLong((Ranked other) -> -other.common())
                .thenComparing(other -> other.experiment().createdAt(), Comparator.reverseOrder()))
        .limit(most)
        .map(other -> new ChosenSource(other.experiment(), other.renamed()))
        .toList();
  }
}
