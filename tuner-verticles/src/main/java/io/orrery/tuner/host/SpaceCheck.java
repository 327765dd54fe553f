package io.orrery.tuner.host;

import io.orrery.core.json.Pointer;
import io.orrery.core.problem.Finding;
import io.orrery.core.space.Dimension;
import io.orrery.core.space.Dimension.Branch;
import io.orrery.core.space.Dimension.Choice;
import io.orrery.core.space.SearchSpace;
import io.orrery.tuner.search.Description;
import io.orrery.tuner.search.TunerFactory;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A check whether an algorithm takes every parameter of a space. */
final class SpaceCheck {
  private final Description algorithm;
  private final List<TunerFactory> tuners;
  private final List<Finding> findings = new ArrayList<>();

  /**
   * @param tuners all there are, to name those that take what this one does not
   */
  SpaceCheck(TunerFactory tuner, List<TunerFactory> tuners) {
    this.algorithm = tuner.description();
    this.tuners = tuners;
  }

  List<Finding> check(SearchSpace space) {
    check(space, "/searchSpace");
    return findings;
  }

  private void check(SearchSpace space, String pointer) {
    space
        .dimensions()
        .forEach((name, dimension) -> check(name, dimension, Pointer.child(pointer, name)));
  }

  private void check(String name, Dimension dimension, String pointer) {
    require(dimension.type(), name, dimension.type(), pointer);
    if (dimension instanceof Choice choice && choice.nested()) {
      require(Description.NESTED, name, "nested choice", pointer);
      branches(choice, pointer + "/_value");
    }
  }

  private void branches(Choice choice, String pointer) {
    Set<String> names = new HashSet<>();
    for (int i = 0; i < choice.options().size(); i++) {
      if (choice.options().get(i) instanceof Branch(String name, SearchSpace space)) {
        String at = Pointer.child(pointer, i);
        if (!names.add(name)) {
          findings.add(
              new Finding(
                  at + "/_name",
                  "another option is named '" + name + "'; branches are told apart by _name"));
        }
        check(space, at);
      }
    }
  }

  private void require(String type, String parameter, String words, String pointer) {
    if (algorithm.types().contains(type)) {
      return;
    }
    List<String> able =
        tuners.stream()
            .map(TunerFactory::description)
            .filter(other -> other.types().contains(type))
            .map(Description::name)
            .toList();
    findings.add(
        new Finding(
            pointer + "/_type",
            algorithm.name()
                + " does not take '"
                + words
                + "' (parameter "
                + parameter
                + ")"
                + (able.isEmpty() ? "" : "; these do: " + String.join(", ", able))));
  }
}
