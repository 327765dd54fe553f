package io.orrery.tuner.search.evolution;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.metric.Direction;
import io.orrery.tuner.search.Regret;
import io.orrery.tuner.search.TunerContract;
import io.orrery.tuner.search.TunerFactory;
import io.orrery.tuner.search.random.RandomSearch;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EvolutionTest extends TunerContract {
  @Override
  protected TunerFactory factory() {
    return Evolution.FACTORY;
  }

  @ParameterizedTest
  @EnumSource(Direction.class)
  void itComesFarCloserThanChanceInEitherDirection(Direction direction) {
    double random = Regret.after(80, RandomSearch.FACTORY, direction, Map.of());

    assertThat(Regret.after(80, factory(), direction, Map.of())).isLessThan(0.4 * random);
  }

  @Test
  void asInNniTheFirstGenerationIsRandom() {
    Map<String, Object> nni = Map.of("compatibility", "nni");

    double early = Regret.after(32, factory(), Direction.MINIMIZE, nni);
    double late = Regret.after(200, factory(), Direction.MINIMIZE, nni);

    assertThat(early)
        .isEqualTo(Regret.after(32, RandomSearch.FACTORY, Direction.MINIMIZE, Map.of()));
    assertThat(late)
        .isLessThan(Regret.after(200, RandomSearch.FACTORY, Direction.MINIMIZE, Map.of()));
  }

  @Test
  void aLargerPopulationIsSlower() {
    assertThat(Regret.after(60, factory(), Direction.MINIMIZE, Map.of("population_size", 12)))
        .isLessThan(Regret.after(60, factory(), Direction.MINIMIZE, Map.of("population_size", 60)));
  }
}
