package io.orrery.core.space;

/** Rounding to multiples of a step, bit for bit as NumPy's {@code round(x / q) * q}. */
final class Quantum {
  private Quantum() {}

  static double round(double value, double q) {
    return Math.rint(value / q) * q;
  }
}
