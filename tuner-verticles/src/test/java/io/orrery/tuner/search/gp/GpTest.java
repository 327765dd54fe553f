package io.orrery.tuner.search.gp;

import io.orrery.tuner.search.TunerContract;
import io.orrery.tuner.search.TunerFactory;

class GpTest extends TunerContract {
  @Override
  protected TunerFactory factory() {
    return Gp.FACTORY;
  }
}
