package io.orrery.tuner.search.anneal;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.metric.Direction;
import io.orrery.tuner.search.Regret;
import io.orrery.tuner.search.TunerContract;
import io.orrery.tuner.search.TunerFactory;
import io.orrery.tuner.search.random.RandomSearch;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AnnealTest extends TunerContract {
  @Override
  protected TunerFactory factory() {
    return Anneal.FACTORY;
  }

  @ParameterizedTest
  @EnumSource(Direction.class)
  void itComesFarCloserThanChanceInEitherDirection(Direction direction) {
    double random = Regret.after(80, RandomSearch.FACTORY, direction, Map.of());
    double nni = Regret.after(80, factory(), direction, Map.of("compatibility", "nni"));
    double ours = Regret.after(80, factory(), direction, Map.of());

    assertThat(nni).isLessThan(0.5 * random);
    assertThat(ours).isLessThan(0.3 * random);
  }
}
