package io.orrery.benchmarks.search;

import io.orrery.benchmarks.search.problem.SearchProblem;
import io.orrery.core.bus.contract.Tuners.Check;
import io.orrery.core.experiment.AlgorithmSpec;
import io.orrery.core.metric.Direction;
import io.orrery.core.problem.Finding;
import io.orrery.core.trial.Parameters;
import io.orrery.tuner.host.Catalog;
import io.orrery.tuner.search.Arguments;
import io.orrery.tuner.search.Setting;
import io.orrery.tuner.search.Tuner;
import io.orrery.tuner.search.TunerFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * A tuner of ours with its arguments.
 *
 * @param name as the catalogue spells it
 */
record SearchContender(
    String name, TunerFactory factory, Parameters classArgs, Arguments arguments) {
  /** What random search is called. */
  static final String RANDOM = "Random";

  /**
   * Finds a tuner.
   *
   * @throws IllegalArgumentException when there is none, or an argument is wrong; says what is
   */
  static SearchContender named(String name, Parameters classArgs) {
    List<TunerFactory> all = Catalog.standard().tuners();
    TunerFactory factory =
        all.stream()
            .filter(candidate -> candidate.description().name().equalsIgnoreCase(name))
            .findFirst()
            .orElseThrow(() ->
                new IllegalArgumentException(
                    "there is no tuner '"
                        + name
                        + "' among "
                        + all.stream().map(known -> known.description().name()).toList()));
    List<Finding> findings = new ArrayList<>();
    Arguments arguments =
        Arguments.read(factory.description().options(), classArgs.values(), "", findings);
    refuse(name, findings);
    return new SearchContender(factory.description().name(), factory, classArgs, arguments);
  }

  /** Whether every argument has its default. */
  boolean plain() {
    return classArgs.values().isEmpty();
  }

  /** What it is called in a table. */
  String label() {
    return plain() ? name : name + " " + classArgs.toJson();
  }

  /**
   * A tuner that knows nothing yet.
   *
   * @throws IllegalArgumentException when it does not take the space
   */
  Tuner open(SearchProblem problem, long seed) {
    AlgorithmSpec spec = new AlgorithmSpec(name, null, null, classArgs);
    refuse(name, Catalog.standard().check(new Check("tuner", spec, problem.space(), 1)).findings());
    return factory.open(new Setting(problem.space(), arguments, Direction.MINIMIZE, seed));
  }

  private static void refuse(String name, List<Finding> findings) {
    if (!findings.isEmpty()) {
      throw new IllegalArgumentException(name + ": " + findings);
    }
  }
}
