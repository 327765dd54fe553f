package io.orrery.tuner.encode;

import io.orrery.core.space.Dimension;
import io.orrery.core.space.Dimension.Choice;
import io.orrery.core.space.Dimension.Literal;
import io.orrery.core.space.Dimension.Numeric;
import io.orrery.core.space.Dimension.QLogNormal;
import io.orrery.core.space.Dimension.QLogUniform;
import io.orrery.core.space.Dimension.QNormal;
import io.orrery.core.space.Dimension.QUniform;
import io.orrery.core.space.Dimension.RandInt;
import io.orrery.core.trial.Parameters;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A parameter of a space whose nesting has been laid flat.
 *
 * <p>Its coordinate is the index of the category for {@code choice} and {@code randint} (NNI's
 * tuners take the latter as unordered), and the raw scale of the distribution for all others: the
 * logarithm for log types, before rounding to q.
 */
public final class Axis {
  /** The share of the draws of an unbounded scale, on either side, that are too far out to try. */
  public static final double IMPROBABLE = Multiples.IMPROBABLE;

  private final int index;
  private final String path;
  private final String name;
  private final Dimension dimension;
  private final List<List<Axis>> branches;
  private final Map<String, Integer> literals;

  /**
   * @param above the path to the space that it belongs to, empty at the top, else with a slash
   * @param branches for each option of a choice the axes that exist only under it; empty lists for
   *     plain values, an empty list for numeric dimensions
   */
  Axis(int index, String above, String name, Dimension dimension, List<List<Axis>> branches) {
    this.index = index;
    this.path = above + name;
    this.name = name;
    this.dimension = dimension;
    this.branches = List.copyOf(branches);
    this.literals = dimension instanceof Choice choice ? literals(choice) : Map.of();
  }

  /**
   * Its place in a point, from 0 in the order of the document; a branch's axes follow the choice.
   */
  public int index() {
    return index;
  }

  /** The parameter's own name, without those of the choices above it. */
  public String name() {
    return name;
  }

  /** Its name after those of the choices and branches above it, as {@code opt/sgd/lr}. */
  public String path() {
    return path;
  }

  public Dimension dimension() {
    return dimension;
  }

  /** The number of categories, or 0 when the axis is a scale of numbers. */
  public long categories() {
    return switch (dimension) {
      case Choice(var options) -> options.size();
      case RandInt randint -> randint.size();
      case Numeric numeric -> 0;
    };
  }

  /** Whether values are multiples of a q. */
  public boolean rounded() {
    return switch (dimension) {
      case QUniform numeric -> true;
      case QLogUniform numeric -> true;
      case QNormal numeric -> true;
      case QLogNormal numeric -> true;
      default -> false;
    };
  }

  /**
   * The coordinate that stands for the value which a coordinate gives: the multiple of q nearest to
   * it, or itself where values are not rounded.
   */
  public double snapped(double coordinate) {
    return rounded() && dimension instanceof Numeric numeric
        ? Raw.of(numeric, numeric.value(coordinate).doubleValue())
        : coordinate;
  }

  /** The axes that exist when this coordinate is chosen. */
  List<Axis> under(double coordinate) {
    return branches.isEmpty() ? List.of() : branches.get((int) coordinate);
  }

  /** The first option that is this plain value, numbers compared by value; null when none is. */
  @Nullable Integer literal(@Nullable Object value) {
    return literals.get(canonical(value));
  }

  private static Map<String, Integer> literals(Choice choice) {
    Map<String, Integer> found = new HashMap<>();
    for (int i = 0; i < choice.options().size(); i++) {
      if (choice.options().get(i) instanceof Literal(var value)) {
        found.putIfAbsent(canonical(value), i);
      }
    }
    return found;
  }

  private static String canonical(@Nullable Object value) {
    return new Parameters(Collections.singletonMap("", value)).canonical();
  }
}
