package io.orrery.tuner.surrogate;

/** The logarithm of a factor that the worth of a place is multiplied with. */
interface Factor {
  /** The factor 1 everywhere. */
  Factor NONE =
      new Factor() {
        @Override
        public double at(double[] place) {
          return 0;
        }

        @Override
        public double at(double[] place, double[] slope) {
          return 0;
        }
      };

  /** The logarithm at a place. */
  double at(double[] place);

  /** The same; adds the derivatives by the numbers of the place to the slope. */
  double at(double[] place, double[] slope);

  /** The product with another one. */
  default Factor times(Factor other) {
    Factor one = this;
    return new Factor() {
      @Override
      public double at(double[] place) {
        return one.at(place) + other.at(place);
      }

      @Override
      public double at(double[] place, double[] slope) {
        return one.at(place, slope) + other.at(place, slope);
      }
    };
  }
}
