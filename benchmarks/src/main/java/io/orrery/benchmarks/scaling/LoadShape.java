package io.orrery.benchmarks.scaling;

/** A load over half an hour: the requests under way in each second. */
enum LoadShape {
  /** From 10 to 80 within a second, and back after ten minutes. */
  STEP {
    @Override
    double at(int second) {
      return second >= 300 && second < 900 ? 80 : 10;
    }
  },

  /** Up to 100 in ten minutes, and down in ten. */
  RAMP {
    @Override
    double at(int second) {
      return second < 600 ? 10 + 90 * second / 600.0 : Math.max(10, 190 - 90 * second / 600.0);
    }
  },

  /** Ten, and for 20 s a hundred, every ten minutes. */
  SPIKE {
    @Override
    double at(int second) {
      return second % 600 >= 300 && second % 600 < 320 ? 100 : 10;
    }
  },

  /** Between 10 and 90 with a period of ten minutes. */
  SINE {
    @Override
    double at(int second) {
      return 50 - 40 * Math.cos(2 * Math.PI * second / 600);
    }
  };

  /** The seconds of a run. */
  static final int SECONDS = 1_800;

  abstract double at(int second);
}
