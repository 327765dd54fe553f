package io.orrery.tuner.search.metis;

import io.orrery.core.space.SearchSpace;
import io.orrery.tuner.search.Spaces;
import io.orrery.tuner.search.TunerContract;
import io.orrery.tuner.search.TunerFactory;
import java.util.List;

/** The search is that of GP, which is tested with every type. */
class MetisTest extends TunerContract {
  @Override
  protected TunerFactory factory() {
    return Metis.FACTORY;
  }

  @Override
  protected List<SearchSpace> spaces() {
    return List.of(Spaces.CONTINUOUS, Spaces.FINITE_NESTED);
  }
}
