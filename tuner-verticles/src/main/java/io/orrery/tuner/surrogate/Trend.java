package io.orrery.tuner.surrogate;

/** The expectation of a function that holds before there are observations; 0 for none. */
interface Trend {
  /** No expectation. */
  Trend NONE =
      new Trend() {
        @Override
        public double at(double[] place) {
          return 0;
        }

        @Override
        public double at(double[] place, double[] slope) {
          return 0;
        }
      };

  /** The expected value at a place. */
  double at(double[] place);

  /** The same; adds the derivatives by the numbers of the place to the slope. */
  double at(double[] place, double[] slope);
}
