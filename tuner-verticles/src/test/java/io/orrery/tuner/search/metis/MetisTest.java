package io.orrery.tuner.search.metis;

import io.orrery.tuner.search.TunerContract;
import io.orrery.tuner.search.TunerFactory;

class MetisTest extends TunerContract {
  @Override
  protected TunerFactory factory() {
    return Metis.FACTORY;
  }
}
