package io.orrery.tuner.search.auto;

import static io.orrery.tuner.search.Played.number;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.bus.contract.Tuners.Suggestion;
import io.orrery.core.metric.Direction;
import io.orrery.core.metric.Objectives;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.trial.Parameters;
import io.orrery.tuner.encode.Axes;
import io.orrery.tuner.encode.UnitCube;
import io.orrery.tuner.math.Rng;
import io.orrery.tuner.search.Arguments;
import io.orrery.tuner.search.Description;
import io.orrery.tuner.search.Result;
import io.orrery.tuner.search.Setting;
import io.orrery.tuner.search.SourceTask;
import io.orrery.tuner.search.Spaces;
import io.orrery.tuner.search.Tuner;
import io.orrery.tuner.search.TunerContract;
import io.orrery.tuner.search.TunerFactory;
import io.orrery.tuner.search.bayes.EarlierSearches;
import io.orrery.tuner.surrogate.Surrogate.Observation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests that Auto keeps the contract of tuners with any earlier experiments, and gains. */
class TransferTest extends TunerContract {
  private static final SearchSpace PLANE =
      Spaces.of(
          """
          {"x": {"_type": "uniform", "_value": [-5, 5]},
           "rate": {"_type": "loguniform", "_value": [1e-5, 1]},
           "width": {"_type": "quniform", "_value": [16, 512, 16]}}
          """);

  /** Least, 0, at x = 2, rate = 0.001, width = 128. */
  private static double bowl(Parameters p) {
    double x = (number(p, "x") - 2) / 3;
    double rate = Math.log10(number(p, "rate")) + 3;
    double width = (number(p, "width") - 128) / 100;
    return x * x + rate * rate + width * width;
  }

  /** With earlier experiments of the same space, two of which hold what no model likes. */
  @Override
  protected TunerFactory factory() {
    return new TunerFactory() {
      @Override
      public Description description() {
        return Auto.FACTORY.description();
      }

      @Override
      public Tuner open(Setting setting) {
        return Auto.FACTORY.open(
            with(setting, List.of(odd(setting.space()), wild(setting.space()))));
      }
    };
  }

  private static Setting with(Setting setting, List<SourceTask> sources) {
    return new Setting(
        setting.space(),
        setting.arguments(),
        setting.objectives(),
        setting.seed(),
        setting.directory(),
        sources);
  }

  private static SourceTask odd(SearchSpace space) {
    return task(space, 12, index -> index % 3 == 0 ? Double.NaN : index % 5 - 1e300 * (index % 2));
  }

  private static SourceTask wild(SearchSpace space) {
    return task(
        space,
        9,
        index -> index == 0 ? Double.POSITIVE_INFINITY : index == 1 ? Double.NEGATIVE_INFINITY : 1);
  }

  private static SourceTask task(SearchSpace space, int trials, ToDoubleFunction<Integer> loss) {
    Axes axes = Axes.of(space);
    return new SourceTask(
        "odd",
        IntStream.range(0, trials)
            .mapToObj(index ->
                new SourceTask.Sample(
                    axes.decode(axes.sample(Rng.keyed(5, index))), loss.applyAsDouble(index)))
            .toList());
  }

  private static SourceTask history(ToDoubleFunction<Parameters> loss, int trials) {
    List<SourceTask.Sample> samples = new ArrayList<>();
    play(PLANE, List.of(), loss, trials, 99)
        .forEach(result -> samples.add(new SourceTask.Sample(result.parameters(), result.value())));
    return new SourceTask("earlier", samples);
  }

  private static List<Result> play(
      SearchSpace space,
      List<SourceTask> sources,
      ToDoubleFunction<Parameters> loss,
      int trials,
      long seed) {
    Setting setting =
        new Setting(space, Arguments.NONE, Objectives.of(Direction.MINIMIZE), seed, ".", sources);
    Tuner tuner = Auto.FACTORY.open(setting);
    List<Result> results = new ArrayList<>();
    for (int i = 0; i < trials; i++) {
      Suggestion next = tuner.suggest(1, i).items().getFirst();
      Result result =
          new Result(next.parameterId(), next.parameters(), loss.applyAsDouble(next.parameters()));
      results.add(result);
      tuner.learn(result);
    }
    return results;
  }

  private static double best(List<Result> results, int first) {
    return results.stream().limit(first).mapToDouble(Result::value).min().orElseThrow();
  }

  @Test
  void aRelatedExperimentSavesMostOfTheSearch() {
    SourceTask related = history(p -> 3 * bowl(p) + 7, 30);

    for (long seed = 0; seed < 4; seed++) {
      double plain = best(play(PLANE, List.of(), TransferTest::bowl, 25, seed), 25);
      double learnt = best(play(PLANE, List.of(related), TransferTest::bowl, 12, seed), 12);
      assertThat(learnt).as("seed %s", seed).isLessThanOrEqualTo(Math.max(plain, 0.02));
    }
  }

  @Test
  void anExperimentThatIsTheOppositeDoesLittleHarm() {
    SourceTask opposite = history(p -> -bowl(p), 30);

    double plain = 0;
    double misled = 0;
    for (long seed = 0; seed < 4; seed++) {
      plain += Math.log(1e-3 + best(play(PLANE, List.of(), TransferTest::bowl, 25, seed), 25));
      misled +=
          Math.log(1e-3 + best(play(PLANE, List.of(opposite), TransferTest::bowl, 31, seed), 31));
    }
    assertThat(misled / 4).isLessThan(plain / 4 + Math.log(2));
  }

  @Test
  void theWeightsTellWhichExperimentHelps() {
    UnitCube cube = new UnitCube(Axes.of(PLANE));
    Axes axes = Axes.of(PLANE);
    EarlierSearches searches =
        new EarlierSearches(
            PLANE,
            cube,
            List.of(
                history(p -> -bowl(p), 30),
                history(p -> 3 * bowl(p) + 7, 30),
                task(PLANE, 3, i -> i)));
    List<Observation> seen =
        IntStream.range(0, 20)
            .mapToObj(index -> axes.sample(Rng.keyed(6, index)))
            .map(point -> new Observation(cube.place(point), bowl(axes.decode(point))))
            .toList();

    List<Double> weights = searches.weights(seen);

    assertThat(weights.get(0)).isZero();
    assertThat(weights.get(1)).isGreaterThan(0.9);
    assertThat(weights.get(2)).isZero();
    assertThat(searches.used()).containsExactly(30, 30, 0);
  }

  @Test
  void parametersThatOnlyOneOfBothHasAreLeftOut() {
    SearchSpace wider =
        Spaces.of(
            """
            {"x": {"_type": "uniform", "_value": [-5, 5]},
             "rate": {"_type": "loguniform", "_value": [1e-4, 0.1]},
             "width": {"_type": "quniform", "_value": [16, 512, 16]},
             "act": {"_type": "choice", "_value": ["relu", "tanh"]}}
            """);
    SourceTask related = history(TransferTest::bowl, 40);

    List<Result> results = play(wider, List.of(related), TransferTest::bowl, 10, 3);

    assertThat(best(results, 10)).isLessThan(0.1);
    UnitCube cube = new UnitCube(Axes.of(wider));
    assertThat(new EarlierSearches(wider, cube, List.of(related)).used().getFirst())
        .as("those outside of the narrower range do not count")
        .isBetween(20, 39);
  }
}
