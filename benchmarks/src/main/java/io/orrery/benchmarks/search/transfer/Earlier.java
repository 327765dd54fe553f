package io.orrery.benchmarks.search.transfer;

import io.orrery.core.bus.contract.Tuners.Suggestion;
import io.orrery.core.metric.Direction;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.trial.Parameters;
import io.orrery.tuner.math.Gaussian;
import io.orrery.tuner.math.Rng;
import io.orrery.tuner.search.Arguments;
import io.orrery.tuner.search.Result;
import io.orrery.tuner.search.Setting;
import io.orrery.tuner.search.SourceTask;
import io.orrery.tuner.search.Tuner;
import io.orrery.tuner.search.auto.Auto;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** A problem that was searched before. */
record Earlier(SearchSpace space, ToDoubleFunction<Parameters> value, double noise) {
  /** The history of a search of it by Auto. */
  SourceTask searched(String name, long seed, int trials) {
    Tuner tuner = Auto.FACTORY.open(new Setting(space, Arguments.NONE, Direction.MINIMIZE, seed));
    List<SourceTask.Sample> samples = new ArrayList<>();
    for (int i = 0; i < trials; i++) {
      List<Suggestion> next = tuner.suggest(1, i).items();
      if (next.isEmpty()) {
        break;
      }
      Suggestion suggestion = next.getFirst();
      double chance = Gaussian.quantile(Rng.keyed(seed, i).split(3).nextOpen());
      double loss = value.applyAsDouble(suggestion.parameters()) + noise * chance;
      samples.add(new SourceTask.Sample(suggestion.parameters(), loss));
      tuner.learn(new Result(suggestion.parameterId(), suggestion.parameters(), loss));
    }
    return new SourceTask(name, samples);
  }
}
