package io.orrery.tuner.search.cmaes;

import io.orrery.tuner.search.TunerContract;
import io.orrery.tuner.search.TunerFactory;

class CmaEsTest extends TunerContract {
  @Override
  protected TunerFactory factory() {
    return CmaEs.FACTORY;
  }
}
