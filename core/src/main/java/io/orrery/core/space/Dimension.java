package io.orrery.core.space;

import io.orrery.core.number.Lattice;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A parameter of a search space: NNI's ten types and the nested choice.
 *
 * <p>Numeric dimensions have a <em>raw</em> scale, on which their distribution is uniform or normal
 * (the logarithm for the log types), and {@link Numeric#value} brings a raw draw to the value that
 * a trial sees, rounded as NNI rounds: half to even, to multiples of {@code q} counted from zero
 * ({@link Lattice}), clipped last. Every value is finite, whatever the draw.
 */
public sealed interface Dimension {
  /** NNI's name of the type, as in {@code _type}. */
  String type();

  /**
   * A choice of one of several options.
   *
   * @param options at least one, in the order of the document
   */
  record Choice(List<Option> options) implements Dimension {
    public Choice {
      options = List.copyOf(options);
      if (options.isEmpty()) {
        throw new IllegalArgumentException("a choice without options");
      }
    }

    @Override
    public String type() {
      return "choice";
    }

    /** Whether an option carries parameters of its own. */
    public boolean nested() {
      return options.stream().anyMatch(Branch.class::isInstance);
    }
  }

  /** An option of a choice. */
  sealed interface Option {}

  /**
   * A plain value.
   *
   * @param value a JSON value: text, number, boolean, null, or an unmodifiable list or map of them
   */
  record Literal(@Nullable Object value) implements Option {}

  /**
   * An option with a name and parameters that exist only when it is chosen.
   *
   * @param name the {@code _name}
   * @param space its parameters, possibly none
   */
  record Branch(String name, SearchSpace space) implements Option {
    public Branch {
      Objects.requireNonNull(name);
      Objects.requireNonNull(space);
    }
  }

  /** A dimension whose values are numbers. */
  sealed interface Numeric extends Dimension {
    /** The value that a trial sees for a draw on the raw scale, which may be infinite. */
    Number value(double raw);
  }

  /** An integer in [lower, upper): the upper end is excluded. */
  record RandInt(long lower, long upper) implements Numeric {
    @Override
    public String type() {
      return "randint";
    }

    /** How many integers there are. */
    public long size() {
      return upper - lower;
    }

    @Override
    public Long value(double raw) {
      return Math.clamp((long) Math.floor(raw), lower, upper - 1);
    }
  }

  /** A number in [low, high], uniformly. */
  record Uniform(double low, double high) implements Numeric {
    @Override
    public String type() {
      return "uniform";
    }

    @Override
    public Double value(double raw) {
      return Math.clamp(raw, low, high);
    }
  }

  /** A uniform draw, rounded to a multiple of q and clipped. */
  record QUniform(double low, double high, double q) implements Numeric {
    @Override
    public String type() {
      return "quniform";
    }

    @Override
    public Double value(double raw) {
      return Math.clamp(Lattice.nearest(raw, q), low, high);
    }
  }

  /**
   * A log-uniform value: exp of a uniform draw between ln low and ln high; the raw scale is the
   * logarithm.
   */
  record LogUniform(double low, double high) implements Numeric {
    @Override
    public String type() {
      return "loguniform";
    }

    @Override
    public Double value(double raw) {
      return Math.clamp(Math.exp(raw), low, high);
    }
  }

  /** A loguniform draw, rounded to a multiple of q and clipped. */
  record QLogUniform(double low, double high, double q) implements Numeric {
    @Override
    public String type() {
      return "qloguniform";
    }

    @Override
    public Double value(double raw) {
      return Math.clamp(Lattice.nearest(Math.exp(raw), q), low, high);
    }
  }

  /** A normal draw. */
  record Normal(double mu, double sigma) implements Numeric {
    @Override
    public String type() {
      return "normal";
    }

    @Override
    public Double value(double raw) {
      return Math.clamp(raw, -Double.MAX_VALUE, Double.MAX_VALUE);
    }
  }

  /** A normal draw, rounded to a multiple of q; not clipped. */
  record QNormal(double mu, double sigma, double q) implements Numeric {
    @Override
    public String type() {
      return "qnormal";
    }

    @Override
    public Double value(double raw) {
      return Lattice.nearest(raw, q);
    }
  }

  /** A log-normal value: exp of a normal draw; the raw scale is the logarithm. */
  record LogNormal(double mu, double sigma) implements Numeric {
    @Override
    public String type() {
      return "lognormal";
    }

    @Override
    public Double value(double raw) {
      return Math.min(Math.exp(raw), Double.MAX_VALUE);
    }
  }

  /** A lognormal draw, rounded to a multiple of q; not clipped. */
  record QLogNormal(double mu, double sigma, double q) implements Numeric {
    @Override
    public String type() {
      return "qlognormal";
    }

    @Override
    public Double value(double raw) {
      return Lattice.nearest(Math.exp(raw), q);
    }
  }
}
