package io.orrery.tuner.host;

import io.orrery.core.bus.contract.Tuners.Algorithm;
import io.orrery.core.bus.contract.Tuners.Argument;
import io.orrery.core.bus.contract.Tuners.Catalogue;
import io.orrery.core.bus.contract.Tuners.Check;
import io.orrery.core.bus.contract.Tuners.Checked;
import io.orrery.core.experiment.AlgorithmSpec;
import io.orrery.core.metric.Direction;
import io.orrery.core.problem.Finding;
import io.orrery.core.text.Nearest;
import io.orrery.tuner.assess.AssessorFactory;
import io.orrery.tuner.search.Arguments;
import io.orrery.tuner.search.Description;
import io.orrery.tuner.search.Option;
import io.orrery.tuner.search.Options;
import io.orrery.tuner.search.Shape;
import io.orrery.tuner.search.TunerFactory;
import io.orrery.tuner.search.batch.Batch;
import io.orrery.tuner.search.grid.GridSearch;
import io.orrery.tuner.search.random.RandomSearch;
import io.orrery.tuner.search.tpe.Tpe;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All algorithms by name, case not counting, and what each of them takes. A new algorithm is one
 * entry in {@link #standard}.
 */
public final class Catalog {
  private static final String TUNER = "tuner";
  private static final String ASSESSOR = "assessor";

  private final List<TunerFactory> tuners;
  private final List<AssessorFactory> assessors;

  public Catalog(List<TunerFactory> tuners, List<AssessorFactory> assessors) {
    this.tuners = List.copyOf(tuners);
    this.assessors = List.copyOf(assessors);
  }

  /** The built-in algorithms. */
  public static Catalog standard() {
    return new Catalog(
        List.of(Tpe.FACTORY, RandomSearch.FACTORY, GridSearch.FACTORY, Batch.FACTORY),
        // None: nobody brings intermediate results to an assessor yet, and one that is accepted but
        // never asked would be worse than one that is refused.
        List.of());
  }

  /** Every tuner, in the order of the documentation. */
  public List<TunerFactory> tuners() {
    return tuners;
  }

  /** The tuner of a name or alias. */
  public Optional<TunerFactory> tuner(String name) {
    return find(tuners, TunerFactory::description, name);
  }

  /** Everything that is wrong with an algorithm, its arguments and its space. */
  public Checked check(Check question) {
    return switch (question.kind()) {
      case TUNER -> checkTuner(question);
      case ASSESSOR -> checkAssessor(question);
      default ->
          refused(new Finding("", "'" + question.kind() + "' is neither tuner nor assessor"));
    };
  }

  private Checked checkTuner(Check question) {
    AlgorithmSpec spec = question.algorithm();
    TunerFactory factory = spec.name() == null ? null : tuner(spec.name()).orElse(null);
    if (factory == null) {
      return refused(unavailable(TUNER, spec, tuners.stream().map(TunerFactory::description)));
    }
    List<Finding> findings = new ArrayList<>();
    Arguments arguments = arguments(TUNER, spec, factory.description(), findings);
    List<Finding> wrongTypes = new SpaceCheck(factory, tuners).check(question.space());
    findings.addAll(wrongTypes);
    if (wrongTypes.isEmpty()) {
      findings.addAll(factory.check(question.space()));
    }
    return checked(findings, factory.description(), arguments);
  }

  private Checked checkAssessor(Check question) {
    AlgorithmSpec spec = question.algorithm();
    AssessorFactory factory =
        spec.name() == null
            ? null
            : find(assessors, AssessorFactory::description, spec.name()).orElse(null);
    if (factory == null) {
      return refused(
          unavailable(ASSESSOR, spec, assessors.stream().map(AssessorFactory::description)));
    }
    List<Finding> findings = new ArrayList<>();
    Arguments arguments = arguments(ASSESSOR, spec, factory.description(), findings);
    return checked(findings, factory.description(), arguments);
  }

  /** Reads an algorithm's arguments; what is wrong is added to the findings. */
  static Arguments arguments(
      String kind, AlgorithmSpec spec, Description description, List<Finding> findings) {
    return Arguments.read(
        description.options(), spec.classArgs().values(), "/" + kind + "/classArgs", findings);
  }

  private static Checked refused(Finding finding) {
    return new Checked(List.of(finding), null, null);
  }

  private static Checked checked(
      List<Finding> findings, Description description, Arguments arguments) {
    Direction direction =
        arguments
            .find(Options.OPTIMIZE_MODE)
            .flatMap(text ->
                Stream.of(Direction.values()).filter(d -> d.text().equals(text)).findFirst())
            .orElse(null);
    return new Checked(findings, description.name(), direction);
  }

  private static Finding unavailable(
      String kind, AlgorithmSpec spec, Stream<Description> descriptions) {
    List<String> names = descriptions.map(Description::name).toList();
    String available =
        names.isEmpty() ? "none is available yet" : "there is " + String.join(", ", names);
    String name = spec.name();
    if (name != null) {
      return new Finding(
          "/" + kind + "/name",
          "there is no " + kind + " '" + name + "'" + Nearest.hint(name, names) + "; " + available);
    }
    if (spec.className() != null) {
      return new Finding(
          "/" + kind + "/className",
          "custom algorithms ("
              + spec.className()
              + ") are not available in this version; of the"
              + " built-in ones "
              + available);
    }
    return new Finding("/" + kind, "has no name; " + available);
  }

  private static <F> Optional<F> find(
      List<F> factories, Function<F, Description> description, String name) {
    return factories.stream()
        .filter(factory -> {
          Description known = description.apply(factory);
          return known.name().equalsIgnoreCase(name)
              || known.aliases().stream().anyMatch(name::equalsIgnoreCase);
        })
        .findFirst();
  }

  /** The answer to {@link io.orrery.core.bus.contract.Tuners#LIST}. */
  public Catalogue list() {
    Stream<Algorithm> search = tuners.stream().map(t -> algorithm(TUNER, t.description()));
    Stream<Algorithm> stop = assessors.stream().map(a -> algorithm(ASSESSOR, a.description()));
    return new Catalogue(Stream.concat(search, stop).toList());
  }

  private static Algorithm algorithm(String kind, Description description) {
    Map<String, Boolean> types = new LinkedHashMap<>();
    for (String type : Description.ALL_TYPES) {
      types.put(type, description.types().contains(type));
    }
    return new Algorithm(
        description.name(),
        description.aliases(),
        kind,
        description.summary(),
        types,
        description.options().stream().flatMap(option -> arguments("", option)).toList());
  }

  /** An option; a group as its members, each with the group's name before it. */
  private static Stream<Argument> arguments(String prefix, Option<?> option) {
    String name = prefix + option.name();
    return option.shape() instanceof Shape.Group(var members)
        ? members.stream().flatMap(member -> arguments(name + ".", member))
        : Stream.of(new Argument(name, option.shape().type(), standard(option), meaning(option)));
  }

  private static @Nullable String standard(Option<?> option) {
    return option.standard() == null ? null : option.standard().toString();
  }

  private static String meaning(Option<?> option) {
    return option.meaning() + " Must be " + option.shape().words() + ".";
  }
}
