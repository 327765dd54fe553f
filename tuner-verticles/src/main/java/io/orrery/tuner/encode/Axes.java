package io.orrery.tuner.encode;

import io.orrery.core.space.Dimension;
import io.orrery.core.space.Dimension.Branch;
import io.orrery.core.space.Dimension.Choice;
import io.orrery.core.space.Dimension.Literal;
import io.orrery.core.space.Dimension.Numeric;
import io.orrery.core.space.Dimension.RandInt;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.trial.Parameters;
import io.orrery.tuner.math.Rng;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A search space laid flat: one axis for each parameter, those of nested choices included.
 *
 * <p>A <em>point</em> has one coordinate for each axis ({@link Axis} says what it means); an axis
 * under a branch that is not chosen does not exist in that point, and its coordinate is NaN. An
 * algorithm thus deals with arrays of doubles and never with nesting: it is asked for coordinates,
 * axis by axis, only where they exist.
 *
 * <p>Branches of one choice must have different names. Immutable.
 */
public final class Axes {
  private static final String NAME = "_name";

  /** Draws before one that breaks a constraint is left to {@link Distinct} to repair. */
  private static final int DRAWS = 64;

  /** Draws before one that is not free is given out all the same. */
  private static final int DRAWS_FOR_FREE = 8;

  private final SearchSpace space;
  private final List<Axis> top;
  private final List<Axis> all;

  private Axes(SearchSpace space, List<Axis> top, List<Axis> all) {
    this.space = space;
    this.top = top;
    this.all = all;
  }

  public static Axes of(SearchSpace space) {
    List<@Nullable Axis> slots = new ArrayList<>();
    List<Axis> top = flatten("", space, slots);
    return new Axes(space, top, List.copyOf(slots));
  }

  /** Every axis, by index. */
  public List<Axis> all() {
    return all;
  }

  /** The axes that always exist. */
  List<Axis> top() {
    return top;
  }

  /** Says where on an axis a point shall lie. */
  @FunctionalInterface
  public interface Chooser {
    /** A coordinate of the axis; asked only for axes that exist, a choice before its branches. */
    double coordinate(Axis axis);
  }

  /** A point, coordinate by coordinate. */
  public double[] point(Chooser chooser) {
    double[] point = new double[all.size()];
    Arrays.fill(point, Double.NaN);
    choose(top, chooser, point);
    return point;
  }

  /** A coordinate drawn from an axis's own distribution. */
  public static double sample(Axis axis, Rng rng) {
    return axis.dimension() instanceof Numeric numeric && axis.categories() == 0
        ? Prior.of(numeric).quantile(rng.nextOpen())
        : rng.nextLong(axis.categories());
  }

  /** A point drawn from the space's own distribution, under its constraints if they can be met. */
  public double[] sample(Rng rng) {
    double[] point = point(axis -> sample(axis, rng));
    for (int draw = 1; draw < DRAWS && !allows(point); draw++) {
      point = point(axis -> sample(axis, rng));
    }
    return point;
  }

  /**
   * The same point, or, when it breaks a constraint, one that breaks none and has much in common
   * with it: for those who may try a point twice. The same one, too, when none was found.
   */
  public double[] repaired(double[] point) {
    return allows(point)
        ? point
        : Objects.requireNonNullElse(
            new PointRepair(this, false).repair(point, this::allows), point);
  }

  /** Whether parameters may break a constraint at all. */
  boolean constrained() {
    return !space.constraints().isEmpty();
  }

  /** Whether a point breaks no constraint. */
  public boolean allows(double[] point) {
    return !constrained() || space.allows(decode(point).values());
  }

  /**
   * The same, drawn again a few times when it is not free: that keeps the distribution as long as
   * there is room. The last draw may not be free.
   */
  public double[] sample(Rng rng, Predicate<double[]> free) {
    double[] point = sample(rng);
    for (int draw = 1; draw < DRAWS_FOR_FREE && !free.test(point); draw++) {
      point = sample(rng.split(draw));
    }
    return point;
  }

  /** The parameters that a trial sees for a point. */
  public Parameters decode(double[] point) {
    return new Parameters(decode(top, point));
  }

  /**
   * The point of parameters that a trial saw. {@code decode(encode(p))} is p again, up to the
   * tolerance with which multiples of q are recognised and the way numbers are written.
   *
   * @return null when they do not lie in this space: a name is missing or unknown, a value is of
   *     the wrong type, out of bounds, between two multiples of q, or not among the options
   */
  public double @Nullable [] encode(Parameters parameters) {
    double[] point = new double[all.size()];
    Arrays.fill(point, Double.NaN);
    return parameters.values().size() == top.size() && encode(top, parameters.values(), point)
        ? point
        : null;
  }

  /**
   * A text that is equal for parameters that are the same point of this space, so that multiples of
   * q are compared by their index and not by their digits; {@link Parameters#canonical} for what
   * does not lie in it.
   */
  public String canonical(Parameters parameters) {
    double[] point = encode(parameters);
    return (point == null ? parameters : decode(point)).canonical();
  }

  /** Whether parameters lie in this space; exactness as {@link #encode}. */
  public boolean fits(Parameters parameters) {
    return encode(parameters) != null;
  }

  private static List<Axis> flatten(String path, SearchSpace space, List<@Nullable Axis> slots) {
    List<Axis> level = new ArrayList<>();
    space
        .dimensions()
        .forEach((name, dimension) -> {
          int index = slots.size();
          slots.add(null);
          List<List<Axis>> branches = branches(path + name + "/", dimension, slots);
          Axis axis = new Axis(index, path, name, dimension, branches);
          slots.set(index, axis);
          level.add(axis);
        });
    return List.copyOf(level);
  }

  private static List<List<Axis>> branches(
      String path, Dimension dimension, List<@Nullable Axis> slots) {
    if (!(dimension instanceof Choice choice) || !choice.nested()) {
      return List.of();
    }
    List<List<Axis>> branches = new ArrayList<>();
    for (Dimension.Option option : choice.options()) {
      branches.add(
          switch (option) {
            case Literal literal -> List.of();
            case Branch(String name, SearchSpace space) -> flatten(path + name + "/", space, slots);
          });
    }
    return branches;
  }

  private static void choose(List<Axis> level, Chooser chooser, double[] point) {
    for (Axis axis : level) {
      double coordinate = chooser.coordinate(axis);
      point[axis.index()] = coordinate;
      choose(axis.under(coordinate), chooser, point);
    }
  }

  private static Map<String, @Nullable Object> decode(List<Axis> level, double[] point) {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    for (Axis axis : level) {
      values.put(axis.name(), decode(axis, point));
    }
    return values;
  }

  private static @Nullable Object decode(Axis axis, double[] point) {
    double coordinate = point[axis.index()];
    return switch (axis.dimension()) {
      case Choice(var options) ->
          switch (options.get((int) coordinate)) {
            case Literal(var value) -> value;
            case Branch(String name, SearchSpace space) -> {
              Map<String, @Nullable Object> chosen = new LinkedHashMap<>();
              chosen.put(NAME, name);
              chosen.putAll(decode(axis.under(coordinate), point));
              yield chosen;
            }
          };
      case RandInt(long lower, long upper) -> lower + (long) coordinate;
      case Numeric numeric -> numeric.value(coordinate);
    };
  }

  private static boolean encode(List<Axis> level, Map<?, ?> values, double[] point) {
    for (Axis axis : level) {
      if (!values.containsKey(axis.name()) || !encode(axis, values.get(axis.name()), point)) {
        return false;
      }
    }
    return true;
  }

  private static boolean encode(Axis axis, @Nullable Object value, double[] point) {
    double coordinate =
        switch (axis.dimension()) {
          case Choice choice -> choice.nested() ? branch(choice, value) : literal(axis, value);
          case Numeric numeric ->
              value instanceof Number number ? Raw.of(numeric, number.doubleValue()) : Double.NaN;
        };
    point[axis.index()] = coordinate;
    if (Double.isNaN(coordinate)) {
      return false;
    }
    List<Axis> under = axis.under(coordinate);
    return !(value instanceof Map<?, ?> chosen)
        || !chosen.containsKey(NAME)
        || (chosen.size() == under.size() + 1 && encode(under, chosen, point));
  }

  private static double literal(Axis axis, @Nullable Object value) {
    Integer option = axis.literal(value);
    return option == null ? Double.NaN : option;
  }

  private static double branch(Choice choice, @Nullable Object value) {
    if (value instanceof Map<?, ?> chosen) {
      for (int i = 0; i < choice.options().size(); i++) {
        if (choice.options().get(i) instanceof Branch(String name, SearchSpace space)
            && name.equals(chosen.get(NAME))) {
          return i;
        }
      }
    }
    return Double.NaN;
  }
}
