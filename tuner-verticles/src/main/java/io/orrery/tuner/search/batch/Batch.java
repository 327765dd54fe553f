package io.orrery.tuner.search.batch;

import io.orrery.core.bus.contract.Tuners.Suggestion;
import io.orrery.core.bus.contract.Tuners.Suggestions;
import io.orrery.core.json.Pointer;
import io.orrery.core.problem.Finding;
import io.orrery.core.space.Dimension;
import io.orrery.core.space.Dimension.Choice;
import io.orrery.core.space.Dimension.Literal;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.trial.Parameters;
import io.orrery.tuner.search.Description;
import io.orrery.tuner.search.Options;
import io.orrery.tuner.search.Result;
import io.orrery.tuner.search.Setting;
import io.orrery.tuner.search.Tuner;
import io.orrery.tuner.search.TunerFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Tries a given list of parameter sets, in order, and is then exhausted.
 *
 * <p>The search space is misused for the list, as in NNI: it has exactly one {@code choice}, and
 * each of its options is a whole parameter set, given as it is even where it is no object; the name
 * of the choice reaches no trial. What history holds already is left out. A set that the list has
 * twice is tried twice: each use in the past stands for one occurrence.
 */
public final class Batch implements Tuner {
  /** The catalogue's entry. */
  public static final TunerFactory FACTORY =
      new TunerFactory() {
        @Override
        public Description description() {
          return new Description(
              "Batch",
              List.of("BatchTuner"),
              "Tries the parameter sets of a list, in order.",
              Set.of("choice"),
              List.of(Options.OPTIMIZE_MODE),
              Description.ANY);
        }

        @Override
        public List<Finding> check(SearchSpace space) {
          return Batch.check(space);
        }

        @Override
        public Tuner open(Setting setting) {
          return new Batch(setting.space());
        }
      };

  private final List<Parameters> list;

  /** How often each set was used without the list having come to it. */
  private final Map<String, Integer> used = new HashMap<>();

  private final Set<String> known;
  private int position;

  private Batch(SearchSpace space) {
    list =
        space.dimensions().values().stream()
            .flatMap(dimension -> ((Choice) dimension).options().stream())
            .map(option -> Parameters.ofValue(((Literal) option).value()))
            .filter(set -> space.allows(set.values()))
            .toList();
    known = Set.copyOf(list.stream().map(Parameters::canonical).toList());
  }

  @Override
  public Suggestions suggest(int count, long firstNumber) {
    List<Suggestion> items = new ArrayList<>();
    while (items.size() < count && position < list.size()) {
      Parameters next = list.get(position++);
      if (!skip(next)) {
        items.add(new Suggestion(Long.toString(firstNumber + items.size()), next));
      }
    }
    return new Suggestions(items, items.size() < count);
  }

  private boolean skip(Parameters next) {
    Integer before = used.get(next.canonical());
    if (before == null || before == 0) {
      return false;
    }
    used.put(next.canonical(), before - 1);
    return true;
  }

  @Override
  public void remember(Suggestion suggestion) {
    used.merge(suggestion.parameters().canonical(), 1, Integer::sum);
  }

  @Override
  public void learn(Result result) {
    if (result.parameterId() == null) {
      used.merge(result.parameters().canonical(), 1, Integer::sum);
    }
  }

  @Override
  public boolean fits(Parameters parameters) {
    return known.contains(parameters.canonical());
  }

  private static List<Finding> check(SearchSpace space) {
    if (space.dimensions().size() != 1) {
      return List.of(
          new Finding(
              "/searchSpace",
              "Batch needs exactly one parameter, a choice whose options are whole parameter sets;"
                  + " this space has "
                  + space.dimensions().size()));
    }
    List<Finding> findings = new ArrayList<>();
    space.dimensions().forEach((name, dimension) -> check(name, dimension, findings));
    if (findings.isEmpty() && new Batch(space).list.isEmpty()) {
      findings.add(new Finding("/constraints", "none of the sets meets the constraints"));
    }
    return findings;
  }

  private static void check(String name, Dimension dimension, List<Finding> findings) {
    if (!(dimension instanceof Choice(var options))) {
      return;
    }
    String pointer = Pointer.child("/searchSpace", name) + "/_value";
    for (int i = 0; i < options.size(); i++) {
      if (!(options.get(i) instanceof Literal)) {
        findings.add(
            new Finding(
                Pointer.child(pointer, i),
                "for Batch each option is a whole parameter set, without _name"));
      }
    }
  }
}
