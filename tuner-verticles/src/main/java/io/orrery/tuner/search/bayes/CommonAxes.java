package io.orrery.tuner.search.bayes;

import io.orrery.core.space.Dimension;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.trial.Parameters;
import io.orrery.tuner.encode.Axes;
import io.orrery.tuner.encode.Axis;
import io.orrery.tuner.encode.UnitCube;
import io.orrery.tuner.search.SourceTask;
import io.orrery.tuner.surrogate.Sources.Source;
import io.orrery.tuner.surrogate.Surrogate.Observation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds what an earlier experiment has in common with a space: the parameters that all of its
 * trials have under the same name, and the trials whose values lie in the space's ranges. What only
 * one of both has is left out; a nested choice is one parameter.
 */
final class CommonAxes {
  /** With fewer trials there is nothing to learn. */
  private static final int FEWEST = 5;

  private CommonAxes() {}

  /** The source that a task is for a space; null when they have too little in common. */
  static @Nullable Source source(SearchSpace space, SourceTask task) {
    Map<String, Dimension> common = new LinkedHashMap<>(space.dimensions());
    task.samples()
        .forEach(sample -> common.keySet().retainAll(sample.parameters().values().keySet()));
    Axes part = Axes.of(new SearchSpace(common));
    UnitCube cube = new UnitCube(part);
    List<Observation> observations = new ArrayList<>();
    for (SourceTask.Sample sample : task.samples()) {
      Map<String, @Nullable Object> values = new LinkedHashMap<>(sample.parameters().values());
      values.keySet().retainAll(common.keySet());
      double[] point = part.encode(new Parameters(values));
      if (point != null) {
        observations.add(new Observation(cube.place(point), sample.loss()));
      }
    }
    long finite = observations.stream().filter(seen -> Double.isFinite(seen.loss())).count();
    return common.isEmpty() || finite < FEWEST
        ? null
        : new Source(cube, indices(part, Axes.of(space)), observations);
  }

  private static int[] indices(Axes part, Axes whole) {
    Map<String, Integer> known = new HashMap<>();
    whole.all().forEach(axis -> known.put(key(axis), axis.index()));
    return part.all().stream().mapToInt(axis -> known.get(key(axis))).toArray();
  }

  private static String key(Axis axis) {
    return axis.path() + axis.name();
  }
}
