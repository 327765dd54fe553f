package io.orrery.tuner.search.smac;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.metric.Direction;
import io.orrery.tuner.search.Regret;
import io.orrery.tuner.search.TunerContract;
import io.orrery.tuner.search.TunerFactory;
import io.orrery.tuner.search.random.RandomSearch;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SmacTest extends TunerContract {
  @Override
  protected TunerFactory factory() {
    return Smac.FACTORY;
  }

  @ParameterizedTest
  @EnumSource(Direction.class)
  void itComesFarCloserThanChanceInEitherDirection(Direction direction) {
    double random = Regret.after(80, RandomSearch.FACTORY, direction, Map.of());

    assertThat(Regret.after(80, factory(), direction, Map.of("config_dedup", true)))
        .isLessThan(0.25 * random);
  }
}
