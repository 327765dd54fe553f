package io.orrery.orchestrator.experiment.transfer;

import io.orrery.core.space.Dimension;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.trial.Parameters;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds the parameters of an earlier experiment that have another name in a new one. Two may be the
 * same that have the same type and range, where neither experiment has a parameter with the name of
 * the other's; and they are where that is the only possibility for both.
 */
final class Renaming {
  private Renaming() {}

  /** The parameters whose names are similar besides: for each name there, the one here. */
  static Map<String, String> alike(SearchSpace here, SearchSpace there) {
    return added(here, there, Map.of(), NameSimilarity::similar);
  }

  /** The same, and then those that are left and may be the same by their types and ranges alone. */
  static Map<String, String> possible(SearchSpace here, SearchSpace there) {
    return added(here, there, alike(here, there), (one, other) -> true);
  }

  private static Map<String, String> added(
      SearchSpace here,
      SearchSpace there,
      Map<String, String> known,
      BiPredicate<String, String> also) {
    Map<String, Dimension> ours = new LinkedHashMap<>(here.dimensions());
    Map<String, Dimension> theirs = new LinkedHashMap<>(there.dimensions());
    ours.keySet().removeAll(there.dimensions().keySet());
    theirs.keySet().removeAll(here.dimensions().keySet());
    ours.keySet().removeAll(known.values());
    theirs.keySet().removeAll(known.keySet());
    Map<String, String> renamed = new LinkedHashMap<>(known);
    theirs.forEach((name, dimension) -> {
      List<String> candidates = same(dimension, name, ours, also);
      if (candidates.size() == 1
          && same(dimension, candidates.getFirst(), theirs, also).size() == 1) {
        renamed.put(name, candidates.getFirst());
      }
    });
    return renamed;
  }

  private static List<String> same(
      Dimension dimension,
      String name,
      Map<String, Dimension> others,
      BiPredicate<String, String> also) {
    return others.entrySet().stream()
        .filter(other -> other.getValue().equals(dimension) && also.test(name, other.getKey()))
        .map(Map.Entry::getKey)
        .toList();
  }

  /**
   * Refuses what cannot be done.
   *
   * @param renamed for each name there, the one here
   * @return why, to follow the name of the key; null when it can be done
   */
  static @Nullable String wrong(SearchSpace here, SearchSpace there, Map<String, String> renamed) {
    for (Map.Entry<String, String> entry : renamed.entrySet()) {
      String old = entry.getKey();
      String now = entry.getValue();
      if (!there.dimensions().containsKey(old)) {
        return "names '" + old + "', which is no parameter of the earlier experiment";
      }
      if (!here.dimensions().containsKey(now)) {
        return "names '" + now + "', which is no parameter of this experiment";
      }
      if (there.dimensions().containsKey(now) && !renamed.containsKey(now)) {
        return "gives '"
            + old
            + "' the name '"
            + now
            + "', which another parameter of the earlier experiment has: rename that as well";
      }
    }
    return null;
  }

  /** Parameters of the earlier experiment with the names that they have here. */
  static Parameters applied(Map<String, String> renamed, Parameters parameters) {
    if (renamed.isEmpty()) {
      return parameters;
    }
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    parameters
        .values()
        .forEach((name, value) -> values.put(renamed.getOrDefault(name, name), value));
    return new Parameters(values);
  }
}
