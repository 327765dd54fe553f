package io.orrery.tuner.search.bohb;

import io.orrery.core.problem.Finding;
import io.orrery.core.space.SearchSpace;
import io.orrery.tuner.encode.Axes;
import io.orrery.tuner.encode.UnitCube;
import io.orrery.tuner.math.Rng;
import io.orrery.tuner.search.Description;
import io.orrery.tuner.search.Setting;
import io.orrery.tuner.search.Tuner;
import io.orrery.tuner.search.TunerFactory;
import io.orrery.tuner.search.hyperband.BracketTuner;
import io.orrery.tuner.search.hyperband.Ladder;
import io.orrery.tuner.search.hyperband.Proposals;
import io.orrery.tuner.surrogate.BudgetSurrogate;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The algorithm BOHB (Falkner, Klein, Hutter: "BOHB: robust and efficient hyperparameter
 * optimization at scale", ICML 2018): Hyperband's brackets, in which configurations come from a
 * model of all results, save a third of them that is drawn blindly and keeps Hyperband's guarantee.
 * Arguments and their defaults are NNI's.
 *
 * <p>The paper's model is a pair of kernel densities of the largest budget that has enough results;
 * here it is the one with {@code compatibility: nni}, or when one of its arguments is set. By
 * default a Gaussian process with the budget as an axis learns from all budgets at once, and how
 * much the small ones are worth. The benchmarks' README compares the two, and says how surely.
 */
public final class Bohb implements Proposals {
  /** The catalogue's entry. */
  public static final TunerFactory FACTORY =
      new TunerFactory() {
        @Override
        public Description description() {
          return new Description(
              "BOHB",
              List.of(),
              "Hyperband with configurations from a model of the results of all budgets.",
              Set.copyOf(Description.ALL_TYPES),
              BohbOptions.ALL,
              0);
        }

        @Override
        public List<Finding> check(SearchSpace space) {
          return BracketTuner.check(space);
        }

        @Override
        public Tuner open(Setting setting) {
          BohbOptions options = BohbOptions.of(setting.arguments());
          long most = Math.max(options.minBudget(), options.maxBudget());
          Ladder ladder = Ladder.between(options.minBudget(), most, options.eta());
          Bohb bohb = new Bohb(Axes.of(setting.space()), options, most);
          return new BracketTuner(setting, ladder, false, bohb);
        }
      };

  /** The observation of a trial. */
  private record Seen(long budget, BudgetSurrogate.Observation observation) {}

  private final Axes axes;
  private final UnitCube cube;
  private final BohbOptions options;
  private final long most;
  private final KernelModel kernels;
  private final BudgetSurrogate surrogate;

  /** By trial, in the order of the first results. */
  private final SequencedMap<String, Seen> seen = new LinkedHashMap<>();

  /** By trial; sorted, because what is told must not depend on when they began. */
  private final SortedMap<String, double[]> running = new TreeMap<>();

  private Bohb(Axes axes, BohbOptions options, long most) {
    this.axes = axes;
    this.cube = new UnitCube(axes);
    this.options = options;
    this.most = most;
    this.kernels = new KernelModel(cube, options);
    this.surrogate = new BudgetSurrogate(cube);
  }

  @Override
  public double[] propose(Rng rng, Predicate<double[]> free) {
    Rng chance = rng.split(1);
    boolean blind = axes.all().isEmpty() || chance.nextDouble() < options.randomFraction();
    double[] place =
        blind ? null : options.kernels() ? byKernels(chance) : bySurrogate(free, chance);
    return place == null ? axes.sample(rng, free) : cube.point(place);
  }

  private double @Nullable [] bySurrogate(Predicate<double[]> free, Rng rng) {
    if (seen.size() < cube.size() + 3) {
      return null;
    }
    return surrogate.next(
        seen.values().stream().map(Seen::observation).toList(),
        running.values(),
        place -> free.test(cube.point(place)),
        rng);
  }

  /** By the largest budget of which there are enough results. */
  private double @Nullable [] byKernels(Rng rng) {
    Map<Long, List<KernelModel.Observation>> byBudget =
        seen.values().stream()
            .collect(
                Collectors.groupingBy(
                    Seen::budget,
                    () -> new TreeMap<>(Comparator.reverseOrder()),
                    Collectors.mapping(Bohb::observation, Collectors.toList())));
    return byBudget.entrySet().stream()
        .map(entry -> kernels.next(entry.getValue(), rng.split(entry.getKey())))
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  private static KernelModel.Observation observation(Seen seen) {
    double loss = seen.observation().loss();
    return new KernelModel.Observation(
        seen.observation().place(), Double.isNaN(loss) ? Double.POSITIVE_INFINITY : loss);
  }

  @Override
  public void begin(String id, double[] point) {
    running.put(id, cube.place(point));
  }

  @Override
  public void learn(String id, double[] point, long budget, double loss) {
    running.remove(id);
    BudgetSurrogate.Observation observation =
        new BudgetSurrogate.Observation(cube.place(point), share(budget), loss);
    if (seen.put(id, new Seen(budget, observation)) != null) {
      surrogate.forget();
    }
  }

  /** Budgets that are eta apart are equally far from each other. */
  private double share(long budget) {
    return most == 1 ? 1 : Math.log(Math.max(1.0, (double) budget)) / Math.log((double) most);
  }
}
