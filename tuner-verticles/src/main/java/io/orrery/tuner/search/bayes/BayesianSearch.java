package io.orrery.tuner.search.bayes;

import io.orrery.core.trial.Parameters;
import io.orrery.tuner.encode.Axes;
import io.orrery.tuner.encode.UnitCube;
import io.orrery.tuner.math.Rng;
import io.orrery.tuner.search.History;
import io.orrery.tuner.search.History.Trial;
import io.orrery.tuner.search.PointTuner;
import io.orrery.tuner.search.Proposer;
import io.orrery.tuner.search.Result;
import io.orrery.tuner.search.Setting;
import io.orrery.tuner.search.Tuner;
import io.orrery.tuner.surrogate.Design;
import io.orrery.tuner.surrogate.Knowledge;
import io.orrery.tuner.surrogate.Look;
import io.orrery.tuner.surrogate.Price;
import io.orrery.tuner.surrogate.Sources;
import io.orrery.tuner.surrogate.SuccessModel;
import io.orrery.tuner.surrogate.Surrogate;
import io.orrery.tuner.surrogate.Surrogate.Observation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A Bayesian optimisation (Jones, Schonlau, Welch: "Efficient global optimization of expensive
 * black-box functions", 1998): after a first design, each suggestion is the place that is worth
 * most by what a model believes.
 *
 * <p>Trials that run count as if they had ended with what is expected of them, so that others keep
 * away. Trials that failed count as bad as the worst, or a {@link SuccessModel} learns where. Where
 * the setting has a measure of costs, cheap places are preferred, see {@link Spending}. Where it is
 * wanted and there is noise, the best places are tried again, see {@link Repeats}.
 */
public final class BayesianSearch implements Proposer {
  private final int coldStart;
  private final Function<Rng, Plan> planning;
  private final Axes axes;
  private final UnitCube cube;
  private final History history;
  private final Design design;
  private final Models models;

  /** Of what was measured alone, where trials failed. */
  private final Models modelsApart;

  private final @Nullable Sources sources;
  private final @Nullable SuccessModel successes;
  private final @Nullable Spending spending;

  /** What was tried so far; null where nothing is to be tried again. */
  private final @Nullable Repeats repeats;

  private final List<double[]> portfolio;
  private Seen seen = new Seen(List.of(), List.of(), List.of());
  private long observed = -1;

  /** How many of the first suggestions are what was best in earlier experiments. */
  private static final int PORTFOLIO = 3;

  /** After so many results earlier experiments may be followed, if they are right so far. */
  private static final int EARLY = 6;

  /** With so many trials in flight, places by chance would often lie near each other. */
  private static final int CROWD = 64;

  /** The label of the chance by which places apart from all others are drawn. */
  private static final int APART = 14;

  /** The label of the chance by which it is drawn why trials fail. */
  private static final int FAILURES = 12;

  /**
   * The trials that have ended.
   *
   * @param others than those that failed
   * @param failed where
   */
  private record Seen(List<Observation> all, List<Observation> others, List<double[]> failed) {}

  /** A model of each kind. */
  private record Models(Surrogate joint, Surrogate adding) {
    static Models of(UnitCube cube, @Nullable Sources sources) {
      return new Models(new Surrogate(cube, false, sources), new Surrogate(cube, true, sources));
    }

    Surrogate of(boolean additive) {
      return additive ? adding : joint;
    }
  }

  private BayesianSearch(
      Axes axes,
      Setting setting,
      int coldStart,
      boolean failuresLearnt,
      boolean repeating,
      Function<Rng, Plan> planning) {
    this.axes = axes;
    this.coldStart = coldStart;
    this.planning = planning;
    cube = new UnitCube(axes);
    history = new History(setting.objectives());
    design = new Design(cube, coldStart, Rng.keyed(setting.effectiveSeed(), -1));
    successes = failuresLearnt ? new SuccessModel(cube) : null;
    repeats = repeating ? new Repeats(setting.direction()) : null;
    spending = setting.cost() == null ? null : new Spending(setting.cost(), cube, history);
    sources = new EarlierSearches(setting.space(), cube, setting.sources()).sources();
    portfolio = sources == null ? List.of() : sources.portfolio(PORTFOLIO);
    models = Models.of(cube, sources);
    modelsApart = Models.of(cube, sources);
  }

  /**
   * A tuner that searches so.
   *
   * @param coldStart how many results there must be before the model is asked, 1 or more
   * @param planning how a suggestion is found; called with its own chance
   */
  public static Tuner open(Setting setting, int coldStart, Function<Rng, Plan> planning) {
    return open(setting, coldStart, false, planning);
  }

  /**
   * The same.
   *
   * @param repeating whether the best places may be tried again
   */
  public static Tuner open(
      Setting setting, int coldStart, boolean repeating, Function<Rng, Plan> planning) {
    return open(setting, coldStart, false, repeating, planning);
  }

  /** The same for one that learns where trials fail, and repeats where its arguments say so. */
  public static Tuner openLearningFailures(
      Setting setting, int coldStart, Function<Rng, Plan> planning) {
    return open(setting, coldStart, true, Repeats.wanted(setting), planning);
  }

  private static Tuner open(
      Setting setting,
      int coldStart,
      boolean failuresLearnt,
      boolean repeating,
      Function<Rng, Plan> planning) {
    Axes axes = Axes.of(setting.space());
    return new PointTuner(
        axes,
        setting,
        new BayesianSearch(axes, setting, coldStart, failuresLearnt, repeating, planning));
  }

  @Override
  public @Nullable Parameters again(long number, Predicate<double[]> free, Rng rng) {
    if (repeats == null || repeats.pointless() || cube.size() == 0 || !known()) {
      return null;
    }
    Plan plan = planning.apply(rng.split(1));
    if (plan.look() == Look.ELSEWHERE) {
      return null;
    }
    Knowledge knowledge = knowledge(rng);
    double[] place =
        model(plan, knowledge)
            .again(knowledge, plan.look(), plan.aim(), at -> free.test(cube.point(at)), rng);
    return place == null ? null : repeats.at(place);
  }

  @Override
  public double[] propose(long number, Predicate<double[]> free, Rng rng) {
    double[] place = cube.size() > 0 && known() ? modelled(free, rng) : early(number, free, rng);
    return place == null ? axes.sample(rng) : cube.point(place);
  }

  /** Whether there is enough to ask the model. */
  private boolean known() {
    int results = history.ended().size();
    return results >= coldStart
        || (sources != null && results >= EARLY && sources.help(seen().all()));
  }

  /** What earlier experiments found best and a place of the design, by turns; then the design. */
  private double @Nullable [] early(long number, Predicate<double[]> free, Rng rng) {
    if (sources == null && number < design.size()) {
      return design.place((int) number);
    }
    boolean crowded = cube.size() > 0 && history.running().size() >= CROWD;
    if (sources == null && !crowded) {
      return null;
    }
    List<double[]> tried = new ArrayList<>(history.running().stream().map(cube::place).toList());
    seen().all().forEach(one -> tried.add(one.place()));
    if (crowded) {
      return Design.apart(cube, tried, place -> free.test(cube.point(place)), rng.split(APART));
    }
    if (number % 2 == 0 && number < 2L * portfolio.size() && promising()) {
      return portfolio.get((int) number / 2);
    }
    return IntStream.range(0, design.size())
        .mapToObj(index -> cube.snap(design.place(index)))
        .filter(place -> tried.stream().noneMatch(other -> Surrogate.same(other, place)))
        .findFirst()
        .orElse(null);
  }

  /** Whether, of what has ended, what was best in earlier experiments is best here. */
  private boolean promising() {
    return seen().all().stream()
        .filter(seen -> !Double.isNaN(seen.loss()))
        .min(Comparator.comparingDouble(Observation::loss))
        .map(best -> portfolio.stream().anyMatch(place -> Surrogate.same(place, best.place())))
        .orElse(true);
  }

  /** The trials that have ended, read once after each change of the history. */
  private Seen seen() {
    if (observed != history.changes()) {
      List<Observation> all = places(trial -> true);
      boolean apart = successes != null && history.ended().stream().anyMatch(Trial::failed);
      seen =
          apart
              ? new Seen(
                  all,
                  places(trial -> !trial.failed()),
                  places(Trial::failed).stream().map(Observation::place).toList())
              : new Seen(all, all, List.of());
      observed = history.changes();
    }
    return seen;
  }

  /** Draws the belief of why trials failed, see {@link SuccessModel}. */
  private Knowledge knowledge(Rng rng) {
    List<double[]> awaited = history.running().stream().map(cube::place).toList();
    Seen all = seen();
    Price price = spending == null ? null : spending.price(rng);
    // Without any number there is nothing to search by but where trials failed.
    if (successes != null
        && !all.failed().isEmpty()
        && all.others().stream().anyMatch(one -> Double.isFinite(one.loss()))) {
      Knowledge apart =
          new Knowledge(all.others(), all.failed(), awaited, history.changes(), successes, price);
      if (rng.split(FAILURES).nextDouble() >= apart.share()) {
        return apart;
      }
    }
    return new Knowledge(all.all(), List.of(), awaited, history.changes(), null, price);
  }

  private List<Observation> places(Predicate<Trial> which) {
    return history.ended().stream()
        .filter(which)
        .map(trial -> new Observation(cube.place(trial.point()), trial.loss()))
        .toList();
  }

  private double @Nullable [] modelled(Predicate<double[]> free, Rng rng) {
    Plan plan = planning.apply(rng.split(1));
    Knowledge knowledge = knowledge(rng);
    return model(plan, knowledge)
        .next(knowledge, plan.look(), plan.aim(), place -> free.test(cube.point(place)), rng);
  }

  private Surrogate model(Plan plan, Knowledge knowledge) {
    return (knowledge.failed().isEmpty() ? models : modelsApart).of(plan.additive());
  }

  @Override
  public void begin(String parameterId, double[] point) {
    history.begin(parameterId, point);
  }

  @Override
  public void end(Result result, double[] point) {
    history.end(result, point);
    if (repeats != null) {
      repeats.end(result, cube.place(point));
    }
  }
}
