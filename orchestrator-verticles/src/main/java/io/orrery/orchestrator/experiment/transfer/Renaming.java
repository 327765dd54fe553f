package io.orrery.orchestrator.experiment.transfer;

import io.orrery.core.space.Dimension;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.trial.Parameters;
import io.orrery.orchestrator.experiment.transfer.NameSimilarity.Name;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds the parameters of an earlier experiment that have another name in a new one. Two may be the
 * same that have the same type and range, where neither experiment has a parameter with the name of
 * the other's; and they are where that is the only possibility for both.
 */
final class Renaming {
  /**
   * With more parameters on either side that are not known by name, no other names are sought: each
   * is compared with each, for hundreds of earlier experiments at once.
   */
  static final int MOST = 20;

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
      BiPredicate<Name, Name> also) {
    Map<String, Dimension> left = left(here, there, Set.copyOf(known.values()));
    Map<String, Dimension> leftThere = left(there, here, known.keySet());
    if (left.size() > MOST || leftThere.size() > MOST) {
      return known;
    }
    Map<Dimension, List<Name>> ours = byDimension(left);
    Map<String, String> renamed = new LinkedHashMap<>(known);
    byDimension(leftThere)
        .forEach((dimension, theirs) -> {
          List<Name> candidates = ours.getOrDefault(dimension, List.of());
          for (Name name : theirs) {
            Name candidate = only(name, candidates, also);
            if (candidate != null && only(candidate, theirs, also) != null) {
              renamed.put(name.text(), candidate.text());
            }
          }
        });
    return renamed;
  }

  /** The parameters that only one space has by name, and no more than show that they are many. */
  private static Map<String, Dimension> left(
      SearchSpace space, SearchSpace other, Set<String> known) {
    Map<String, Dimension> left = new LinkedHashMap<>();
    for (Map.Entry<String, Dimension> entry : space.dimensions().entrySet()) {
      String name = entry.getKey();
      if (left.size() <= MOST && !other.dimensions().containsKey(name) && !known.contains(name)) {
        left.put(name, entry.getValue());
      }
    }
    return left;
  }

  private static Map<Dimension, List<Name>> byDimension(Map<String, Dimension> dimensions) {
    Map<Dimension, List<Name>> names = new LinkedHashMap<>();
    dimensions.forEach((name, dimension) ->
        names.computeIfAbsent(dimension, key -> new ArrayList<>()).add(Name.of(name)));
    return names;
  }

  /** The only one that a name may stand for; null when there is none, or another one. */
  private static @Nullable Name only(Name name, List<Name> others, BiPredicate<Name, Name> also) {
    Name found = null;
    for (Name other : others) {
      if (also.test(name, other)) {
        if (found != null) {
          return null;
        }
        found = other;
      }
    }
    return found;
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
