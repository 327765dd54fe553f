package io.orrery.tuner.search.bayes;

import io.orrery.core.space.SearchSpace;
import io.orrery.tuner.encode.UnitCube;
import io.orrery.tuner.search.SourceTask;
import io.orrery.tuner.surrogate.Sources;
import io.orrery.tuner.surrogate.Sources.Source;
import io.orrery.tuner.surrogate.Surrogate.Observation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The earlier experiments of a search that have enough in common with its space. */
public final class EarlierSearches {
  /** For each task, the source that it is; null when it is none. */
  private final List<@Nullable Source> found = new ArrayList<>();

  private final @Nullable Sources sources;

  /** Fits a model for each, which takes some tens of milliseconds each. */
  public EarlierSearches(SearchSpace space, UnitCube cube, List<SourceTask> tasks) {
    List<Source> usable = new ArrayList<>();
    for (SourceTask task : tasks) {
      Source source = CommonAxes.source(space, task);
      found.add(source);
      if (source != null) {
        usable.add(source);
      }
    }
    sources = usable.isEmpty() ? null : new Sources(cube, usable);
  }

  /** Their models; null when there is none. */
  @Nullable Sources sources() {
    return sources;
  }

  /** How many trials of each task lie in the space. */
  public List<Integer> used() {
    return found.stream().map(source -> source == null ? 0 : source.observations().size()).toList();
  }

  /** How much each task is listened to after observations; see {@link Sources#weights}. */
  public List<Double> weights(List<Observation> observations) {
    Sources models = sources;
    if (models == null || observations.isEmpty()) {
      return found.stream().map(task -> 0.0).toList();
    }
    double[] weights = models.weights(observations);
    List<Double> all = new ArrayList<>();
    int next = 0;
    for (Source source : found) {
      all.add(source == null ? 0 : weights[next++]);
    }
    return all;
  }
}
