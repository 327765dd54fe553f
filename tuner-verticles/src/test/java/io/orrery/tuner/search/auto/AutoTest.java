package io.orrery.tuner.search.auto;

import io.orrery.tuner.search.TunerContract;
import io.orrery.tuner.search.TunerFactory;

class AutoTest extends TunerContract {
  @Override
  protected TunerFactory factory() {
    return Auto.FACTORY;
  }
}
