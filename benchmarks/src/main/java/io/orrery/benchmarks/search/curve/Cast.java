package io.orrery.benchmarks.search.curve;

import io.orrery.benchmarks.search.problem.SearchProblem;
import io.orrery.core.metric.Direction;
import io.orrery.core.trial.Parameters;
import io.orrery.tuner.assess.Assessor;
import io.orrery.tuner.assess.AssessorFactory;
import io.orrery.tuner.host.Catalog;
import io.orrery.tuner.search.Arguments;
import io.orrery.tuner.search.Description;
import io.orrery.tuner.search.Setting;
import io.orrery.tuner.search.Tuner;
import io.orrery.tuner.search.TunerFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Opens tuners and assessors of the catalogue, told how long the curves are and nothing else. */
final class Cast {
  /** The arguments by which algorithms are told the length of a training. */
  private static final List<String> LENGTHS = List.of("R", "max_budget", "epoch_num");

  private Cast() {}

  static Tuner tuner(String name, SearchProblem problem, long seed) {
    for (TunerFactory factory : Catalog.standard().tuners()) {
      if (factory.description().name().equalsIgnoreCase(name)) {
        return factory.open(
            new Setting(
                problem.space(),
                arguments(factory.description(), problem),
                Direction.MINIMIZE,
                seed));
      }
    }
    throw unknown(
        "tuner", name, Catalog.standard().tuners().stream().map(TunerFactory::description));
  }

  static Assessor assessor(String name, SearchProblem problem) {
    for (AssessorFactory factory : Catalog.standard().assessors()) {
      if (factory.description().name().equalsIgnoreCase(name)) {
        return factory.open(arguments(factory.description(), problem), Direction.MINIMIZE);
      }
    }
    throw unknown(
        "assessor",
        name,
        Catalog.standard().assessors().stream().map(AssessorFactory::description));
  }

  private static Arguments arguments(Description description, SearchProblem problem) {
    List<String> asked =
        description.options().stream().map(o -> o.name()).filter(LENGTHS::contains).toList();
    Map<String, Object> given =
        asked.isEmpty() ? Map.of() : Map.of(asked.getFirst(), problem.epochs());
    return Arguments.read(
        description.options(), new Parameters(given).values(), "", new ArrayList<>());
  }

  private static IllegalArgumentException unknown(
      String kind, String name, Stream<Description> all) {
    return new IllegalArgumentException(
        "there is no %s '%s'; there is %s"
            .formatted(kind, name, String.join(", ", all.map(Description::name).toList())));
  }
}
