package io.orrery.orchestrator.experiment.transfer;

import io.orrery.core.experiment.Experiment;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.trial.TrialStatus;
import java.util.Comparator;
import java.util.List;

/** Ranks earlier experiments by what their search spaces have in common with a new one. */
final class Resemblance {
  /** With fewer successful trials there is nothing to learn. */
  private static final long FEWEST = 10;

  private final SearchSpace space;

  Resemblance(SearchSpace space) {
    this.space = space;
  }

  /** How many parameters have the same type and range in both, and the same name or a like one. */
  private long common(SearchSpace other) {
    long named =
        space.dimensions().entrySet().stream()
            .filter(entry -> entry.getValue().equals(other.dimensions().get(entry.getKey())))
            .count();
    return named + Renaming.alike(space, other).size();
  }

  /** Whether a search may learn from an experiment without being told to. */
  private boolean resembles(Experiment other) {
    return other.status().isFinal()
        && other.trialCounts().getOrDefault(TrialStatus.SUCCEEDED, 0L) >= FEWEST
        && common(other.spec().search().space()) > 0
        && 2 * common(other.spec().search().space()) >= space.dimensions().size();
  }

  /** Those that resemble it, the most similar first, and of equals the newest. */
  List<ChosenSource> best(List<Experiment> earlier, int most) {
    return earlier.stream()
        .filter(this::resembles)
        .sorted(
            Comparator.comparingLong((Experiment other) -> -common(other.spec().search().space()))
                .thenComparing(Experiment::createdAt, Comparator.reverseOrder()))
        .limit(most)
        .map(other -> new ChosenSource(other, Renaming.alike(space, other.spec().search().space())))
        .toList();
  }
}
