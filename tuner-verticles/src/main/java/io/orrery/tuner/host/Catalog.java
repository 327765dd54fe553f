package io.orrery.tuner.host;

import io.orrery.core.bus.contract.Tuners.Algorithm;
import io.orrery.core.bus.contract.Tuners.Argument;
import io.orrery.core.bus.contract.Tuners.Catalogue;
import io.orrery.core.bus.contract.Tuners.Check;
import io.orrery.core.bus.contract.Tuners.Checked;
import io.orrery.core.experiment.AlgorithmSpec;
import io.orrery.core.metric.Direction;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.text.Nearest;
import io.orrery.tuner.assess.Asha;
import io.orrery.tuner.assess.Assessor;
import io.orrery.tuner.assess.AssessorFactory;
import io.orrery.tuner.assess.AutoStop;
import io.orrery.tuner.assess.MedianStop;
import io.orrery.tuner.assess.curve.CurveFitting;
import io.orrery.tuner.encode.Feasibility;
import io.orrery.tuner.python.UsersClass;
import io.orrery.tuner.search.Arguments;
import io.orrery.tuner.search.Description;
import io.orrery.tuner.search.Option;
import io.orrery.tuner.search.Options;
import io.orrery.tuner.search.Shape;
import io.orrery.tuner.search.TunerFactory;
import io.orrery.tuner.search.anneal.Anneal;
import io.orrery.tuner.search.auto.Auto;
import io.orrery.tuner.search.batch.Batch;
import io.orrery.tuner.search.bohb.Bohb;
import io.orrery.tuner.search.cmaes.CmaEs;
import io.orrery.tuner.search.evolution.Evolution;
import io.orrery.tuner.search.gp.Gp;
import io.orrery.tuner.search.grid.GridSearch;
import io.orrery.tuner.search.hyperband.Hyperband;
import io.orrery.tuner.search.metis.Metis;
import io.orrery.tuner.search.nsga.NsgaII;
import io.orrery.tuner.search.pbt.Pbt;
import io.orrery.tuner.search.random.RandomSearch;
import io.orrery.tuner.search.smac.Smac;
import io.orrery.tuner.search.tpe.Tpe;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A catalogue of all algorithms by name, case not counting, and what each of them takes. A new
 * algorithm is one entry in {@link #standard}.
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
        List.of(
            Auto.FACTORY,
            Tpe.FACTORY,
            Gp.FACTORY,
            Metis.FACTORY,
            NsgaII.FACTORY,
            CmaEs.FACTORY,
            Smac.FACTORY,
            Anneal.FACTORY,
            Evolution.FACTORY,
            RandomSearch.FACTORY,
            GridSearch.FACTORY,
            Batch.FACTORY,
            Hyperband.FACTORY,
            Bohb.FACTORY,
            Pbt.FACTORY),
        List.of(MedianStop.FACTORY, CurveFitting.FACTORY, Asha.FACTORY, AutoStop.FACTORY));
  }

  /** Every tuner, in the order of the documentation. */
  public List<TunerFactory> tuners() {
    return tuners;
  }

  /** Every assessor, in the order of the documentation. */
  public List<AssessorFactory> assessors() {
    return assessors;
  }

  /** A tuner that may be made. */
  record ChosenTuner(TunerFactory factory, Arguments arguments) {}

  /** An assessor that may be made. */
  record ChosenAssessor(AssessorFactory factory, Arguments arguments) {
    /**
     * Makes it.
     *
     * @param direction the experiment's; its own goes before it
     */
    Assessor open(Direction direction) {
      return factory.open(
          arguments, Objects.requireNonNullElse(Catalog.direction(arguments), direction));
    }
  }

  /** Fails with Refused and everything that is wrong with it. */
  ChosenTuner chooseTuner(AlgorithmSpec spec, SearchSpace space, int objectives) {
    List<Finding> findings = new ArrayList<>();
    TunerFactory factory = tuner(spec, findings);
    if (factory != null) {
      Arguments arguments = arguments(TUNER, spec, factory.description(), findings);
      checkSpace(factory, space, findings);
      checkObjectives(factory, objectives, findings);
      if (findings.isEmpty()) {
        return new ChosenTuner(factory, arguments);
      }
    }
    throw Problem.Refused.of(findings).toException();
  }

  /** Fails with Refused and everything that is wrong with it. */
  ChosenAssessor chooseAssessor(AlgorithmSpec spec) {
    List<Finding> findings = new ArrayList<>();
    AssessorFactory factory = assessor(spec, findings);
    if (factory != null) {
      Arguments arguments = arguments(ASSESSOR, spec, factory.description(), findings);
      if (findings.isEmpty()) {
        return new ChosenAssessor(factory, arguments);
      }
    }
    throw Problem.Refused.of(findings).toException();
  }

  /**
   * Everything that is wrong with an algorithm, its arguments and its space. Takes a while for a
   * space with constraints.
   */
  public Checked check(Check question) {
    return switch (question.kind()) {
      case TUNER -> checkTuner(question);
      case ASSESSOR -> checkAssessor(question);
      default ->
          new Checked(
              List.of(new Finding("", "'" + question.kind() + "' is neither tuner nor assessor")),
              null,
              null);
    };
  }

  private Checked checkTuner(Check question) {
    if (question.algorithm().className() != null) {
      return custom(question);
    }
    List<Finding> findings = new ArrayList<>();
    TunerFactory factory = tuner(question.algorithm(), findings);
    if (factory == null) {
      return new Checked(findings, null, null);
    }
    Arguments arguments = arguments(TUNER, question.algorithm(), factory.description(), findings);
    checkSpace(factory, question.space(), findings);
    checkObjectives(factory, question.objectives(), findings);
    boolean list = AlgorithmSpec.named(factory.description().name()).takesList();
    if (findings.isEmpty() && !list) {
      findings.addAll(infeasible(question.space()));
    }
    return new Checked(findings, factory.description().name(), direction(arguments));
  }

  /** What a class of the user's own takes, it knows alone. */
  private static Checked custom(Check question) {
    List<Finding> findings =
        new ArrayList<>(UsersClass.check(question.algorithm(), question.kind()));
    if (question.kind().equals(TUNER)) {
      findings.addAll(infeasible(question.space()));
    }
    return new Checked(findings, question.algorithm().className(), null);
  }

  private static List<Finding> infeasible(SearchSpace space) {
    return Feasibility.problem(space).map(why -> new Finding("/constraints", why)).stream()
        .toList();
  }

  private Checked checkAssessor(Check question) {
    if (question.algorithm().className() != null) {
      return custom(question);
    }
    List<Finding> findings = new ArrayList<>();
    AssessorFactory factory = assessor(question.algorithm(), findings);
    if (factory == null) {
      return new Checked(findings, null, null);
    }
    Arguments arguments =
        arguments(ASSESSOR, question.algorithm(), factory.description(), findings);
    return new Checked(findings, factory.description().name(), direction(arguments));
  }

  private @Nullable TunerFactory tuner(AlgorithmSpec spec, List<Finding> findings) {
    return find(TUNER, tuners, TunerFactory::description, spec, findings);
  }

  private @Nullable AssessorFactory assessor(AlgorithmSpec spec, List<Finding> findings) {
    return find(ASSESSOR, assessors, AssessorFactory::description, spec, findings);
  }

  private void checkSpace(TunerFactory factory, SearchSpace space, List<Finding> findings) {
    List<Finding> wrongTypes = new SpaceCheck(factory, tuners).check(space);
    findings.addAll(wrongTypes);
    if (wrongTypes.isEmpty()) {
      findings.addAll(factory.check(space));
    }
  }

  private void checkObjectives(TunerFactory factory, int objectives, List<Finding> findings) {
    if (objectives > 1 && !factory.description().severalObjectives()) {
      String able =
          tuners.stream()
              .map(TunerFactory::description)
              .filter(Description::severalObjectives)
              .map(Description::name)
              .collect(Collectors.joining(", "));
      findings.add(
          new Finding(
              "/objectives",
              "%s takes one objective, not %d; these take several: %s"
                  .formatted(factory.description().name(), objectives, able)));
    }
  }

  private static Arguments arguments(
      String kind, AlgorithmSpec spec, Description description, List<Finding> findings) {
    return Arguments.read(
        description.options(), spec.classArgs().values(), "/" + kind + "/classArgs", findings);
  }

  private static @Nullable Direction direction(Arguments arguments) {
    return arguments
        .find(Options.OPTIMIZE_MODE)
        .flatMap(
            text -> Stream.of(Direction.values()).filter(d -> d.text().equals(text)).findFirst())
        .orElse(null);
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
    return new Finding("/" + kind, "has no name; " + available);
  }

  /** The algorithm that is asked for; null, and a finding, when there is none. */
  private static <F> @Nullable F find(
      String kind,
      List<F> factories,
      Function<F, Description> description,
      AlgorithmSpec spec,
      List<Finding> findings) {
    String name = spec.name();
    for (F factory : factories) {
      Description known = description.apply(factory);
      if (name != null
          && (known.name().equalsIgnoreCase(name)
              || known.aliases().stream().anyMatch(name::equalsIgnoreCase))) {
        return factory;
      }
    }
    findings.add(unavailable(kind, spec, factories.stream().map(description)));
    return null;
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
        description.severalObjectives(),
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
