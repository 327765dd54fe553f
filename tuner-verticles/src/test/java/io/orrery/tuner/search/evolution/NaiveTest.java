package io.orrery.tuner.search.evolution;

import io.orrery.tuner.search.Compatible;
import io.orrery.tuner.search.TunerContract;
import io.orrery.tuner.search.TunerFactory;

/** The contract holds as well for the search as NNI has it. */
class NaiveTest extends TunerContract {
  @Override
  protected TunerFactory factory() {
    return Compatible.withNni(Evolution.FACTORY);
  }
}
