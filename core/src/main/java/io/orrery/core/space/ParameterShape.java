package io.orrery.core.space;

import io.orrery.core.constraint.Constraint;
import io.orrery.core.constraint.Kind;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.space.Dimension.Branch;
import io.orrery.core.space.Dimension.Choice;
import io.orrery.core.space.Dimension.Literal;
import io.orrery.core.trial.Parameters;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The shape of the parameters of a trial: the names, and the values that each may have.
 *
 * <p>Most algorithms give every parameter of the space one value. One takes the space for a list of
 * whole parameter sets, each an option of its only choice, whose own name reaches no trial. Some
 * add parameters of their own, such as a trial's budget.
 *
 * @param space the parameters that every trial has
 * @param optional those that only some have, by a list that says so
 * @param added those that every trial has from the algorithm, whatever their values
 */
public record ParameterShape(SearchSpace space, SearchSpace optional, Set<String> added) {
  public ParameterShape {
    added = Set.copyOf(added);
  }

  /** Parameters as an algorithm draws them from a space. */
  public static ParameterShape of(SearchSpace space) {
    return new ParameterShape(space, SearchSpace.EMPTY, Set.of());
  }

  /** The same, with parameters that the algorithm adds. */
  public ParameterShape with(Set<String> names) {
    return new ParameterShape(space, optional, names);
  }

  /** Parameters as they stand in a list; an option that is no object is a value without a name. */
  public static ParameterShape ofList(SearchSpace list) {
    List<Map<?, ?>> sets =
        list.dimensions().values().stream()
            .flatMap(d -> d instanceof Choice(var options) ? options.stream() : Stream.empty())
            .<Map<?, ?>>mapMulti((option, sink) -> {
              if (option instanceof Literal(var set)) {
                sink.accept(Parameters.ofValue(set).values());
              }
            })
            .toList();
    Map<String, List<Dimension.Option>> values = new LinkedHashMap<>();
    for (Map<?, ?> set : sets) {
      set.forEach((name, value) ->
          values
              .computeIfAbsent(String.valueOf(name), n -> new ArrayList<>())
              .add(new Literal(value)));
    }
    Map<String, Dimension> always = new LinkedHashMap<>();
    Map<String, Dimension> sometimes = new LinkedHashMap<>();
    values.forEach((name, options) ->
        (options.size() == sets.size() ? always : sometimes).put(name, new Choice(options)));
    return new ParameterShape(
        new SearchSpace(always, list.constraints()), new SearchSpace(sometimes), Set.of());
  }

  /**
   * The flat names of parameters, as in a command: {@code opt} for a branch, {@code opt.lr} for a
   * parameter within it.
   *
   * @param always what every trial has
   * @param sometimes what depends on the branch that a trial was given; without those of {@code
   *     always}
   */
  public record Names(Set<String> always, Set<String> sometimes) {}

  /** All flat names. */
  public Names names() {
    Set<String> always = new TreeSet<>(added);
    Set<String> sometimes = new TreeSet<>();
    collect(space, "", always, sometimes);
    collect(optional, "", sometimes, sometimes);
    sometimes.removeAll(always);
    return new Names(always, sometimes);
  }

  private static void collect(
      SearchSpace space, String prefix, Set<String> always, Set<String> sometimes) {
    space
        .dimensions()
        .forEach((key, dimension) -> {
          always.add(prefix + key);
          if (dimension instanceof Choice choice && choice.nested()) {
            always.addAll(inEveryBranch(choice, prefix + key + ".", sometimes));
          }
        });
  }

  private static Set<String> inEveryBranch(Choice choice, String prefix, Set<String> sometimes) {
    Set<String> common = null;
    for (Dimension.Option option : choice.options()) {
      Set<String> here = new TreeSet<>();
      if (option instanceof Branch branch) {
        collect(branch.space(), prefix, here, sometimes);
      }
      sometimes.addAll(here);
      if (common == null) {
        common = here;
      } else {
        common.retainAll(here);
      }
    }
    return common == null ? Set.of() : common;
  }

  /** Whether a parameter set may be a value that is no object: {@link Parameters#BARE}. */
  public boolean takesBareValues() {
    return Stream.of(space, optional)
        .anyMatch(part -> part.isOpaque() || part.dimensions().containsKey(Parameters.BARE));
  }

  /**
   * The verdict on parameters that a user chose.
   *
   * @param findings what no trial could be given: a name that is missing or unknown, a value of
   *     another kind
   * @param notices values that the space does not have, in full sentences; they may be tried
   */
  public record Verdict(List<Finding> findings, List<String> notices) {
    public Verdict {
      findings = List.copyOf(findings);
      notices = List.copyOf(notices);
    }
  }

  /**
   * Lets pass what a trial can be given.
   *
   * @throws io.orrery.core.problem.ProblemException Refused, with every finding
   */
  public void require(Map<String, @Nullable Object> values) {
    List<Finding> findings = new ArrayList<>(judge(values).findings());
    broken(values).map(constraint -> new Finding("", broken(constraint))).forEach(findings::add);
    if (!findings.isEmpty()) {
      throw Problem.Refused.of(findings).toException();
    }
  }

  /**
   * Judges parameters.
   *
   * @param values JSON values by name; pointers lead into them
   */
  public Verdict judge(Map<String, @Nullable Object> values) {
    Verdict verdict = ParameterValidation.of(values, this);
    List<String> notices = new ArrayList<>(verdict.notices());
    broken(values).map(constraint -> "It " + broken(constraint) + ".").forEach(notices::add);
    return new Verdict(verdict.findings(), notices);
  }

  private Stream<Constraint> broken(Map<String, @Nullable Object> values) {
    return space.constraints().stream().filter(constraint -> !constraint.holds(values));
  }

  private static String broken(Constraint constraint) {
    return "breaks the constraint '" + constraint + "'";
  }

  /** What stands behind each flat name: where branches differ, {@link Kind#ANY}. */
  public Map<String, Kind> kinds() {
    Map<String, Kind> kinds = new TreeMap<>();
    Stream.of(space, optional).forEach(part -> collect(part, "", kinds));
    return kinds;
  }

  private static void collect(SearchSpace space, String prefix, Map<String, Kind> kinds) {
    space
        .dimensions()
        .forEach((name, dimension) -> {
          kinds.merge(prefix + name, kind(dimension), (a, b) -> a == b ? a : Kind.ANY);
          if (dimension instanceof Choice(var options)) {
            for (Dimension.Option option : options) {
              if (option instanceof Branch(var _, SearchSpace inside)) {
                collect(inside, prefix + name + ".", kinds);
              }
            }
          }
        });
  }

  private static Kind kind(Dimension dimension) {
    return switch (dimension) {
      case Dimension.Numeric numeric -> Kind.NUMBER;
      case Choice(var options) ->
          options.stream()
              .map(ParameterShape::kind)
              .reduce((a, b) -> a == b ? a : Kind.ANY)
              .orElse(Kind.ANY);
    };
  }

  private static Kind kind(Dimension.Option option) {
    return switch (option) {
      case Branch branch -> Kind.TEXT;
      case Literal(var value) ->
          switch (value) {
            case Number number -> Kind.NUMBER;
            case String text -> Kind.TEXT;
            case Boolean truth -> Kind.TRUTH;
            case null, default -> Kind.ANY;
          };
    };
  }
}
