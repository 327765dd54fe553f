package io.orrery.tuner.surrogate;

/**
 * The preference of cheap places: what a place is worth is divided by its cost to the power of an
 * exponent.
 *
 * @param costs what places cost
 * @param exponent from 0, when costs do not count, to 1
 */
public record Price(CostModel costs, double exponent) {
  Factor factor() {
    return exponent > 0 ? costs.cheapness(exponent) : Factor.NONE;
  }
}
