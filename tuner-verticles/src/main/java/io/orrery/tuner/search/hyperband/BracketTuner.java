package io.orrery.tuner.search.hyperband;

import io.orrery.core.bus.contract.Tuners.Suggestion;
import io.orrery.core.bus.contract.Tuners.Suggestions;
import io.orrery.core.metric.Direction;
import io.orrery.core.problem.Finding;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.trial.Parameters;
import io.orrery.tuner.encode.Axes;
import io.orrery.tuner.encode.Distinct;
import io.orrery.tuner.math.Rng;
import io.orrery.tuner.search.Result;
import io.orrery.tuner.search.Setting;
import io.orrery.tuner.search.Tuner;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Walks the brackets of a {@link Ladder}, from the one that begins with the least budget to the one
 * that begins with all of it, and round again.
 *
 * <p>Promotions go first, those of older brackets before those of younger ones; then a bracket is
 * filled; then the next one begins at once, or, {@code serial}, when the one before is over. A
 * trial is told its budget as {@code TRIAL_BUDGET} and trains from the beginning; a configuration
 * in its next round is another trial.
 *
 * <p>A configuration begins once: in a countable space none is drawn twice, and when all have begun
 * the brackets go on with those that they have. Results of trials that a user chose are passed on
 * as ones of the whole budget, unless they say which they had.
 */
public final class BracketTuner implements Tuner {
  /** The parameter that carries the budget, as in NNI. */
  public static final String BUDGET = "TRIAL_BUDGET";

  private final Ladder ladder;
  private final boolean serial;
  private final Proposals proposals;
  private final Axes axes;
  private final Direction direction;
  private final long seed;
  private final Distinct distinct;

  /** Those that are not over, by number. */
  private final SortedMap<Long, Bracket> open = new TreeMap<>();

  /** How many brackets have begun. */
  private long begun;

  private long strangers;

  /**
   * @param serial whether a bracket waits for the one before
   */
  public BracketTuner(Setting setting, Ladder ladder, boolean serial, Proposals proposals) {
    this.ladder = ladder;
    this.serial = serial;
    this.proposals = proposals;
    this.axes = Axes.of(setting.space());
    this.direction = setting.direction();
    this.seed = setting.effectiveSeed();
    this.distinct = Distinct.in(axes);
  }

  /** What is wrong with a space for tuners that set the budget. */
  public static List<Finding> check(SearchSpace space) {
    return space.dimensions().containsKey(BUDGET)
        ? List.of(
            new Finding(
                "/searchSpace/" + BUDGET,
                "is the name by which this tuner tells a trial its budget; call yours otherwise"))
        : List.of();
  }

  @Override
  public Suggestions suggest(int count, long firstNumber) {
    List<Suggestion> items = new ArrayList<>();
    for (long number = firstNumber; items.size() < count; number++) {
      Suggestion next = next(number, distinct.isUsedUp());
      if (next == null) {
        return new Suggestions(items, open.isEmpty() && distinct.isUsedUp());
      }
      items.add(next);
    }
    return new Suggestions(items, false);
  }

  /**
   * @param closed whether no configuration can begin any more
   */
  private @Nullable Suggestion next(long number, boolean closed) {
    putAway();
    for (Map.Entry<Long, Bracket> entry : open.entrySet()) {
      Bracket bracket = entry.getValue();
      Bracket.Promotion promotion = bracket.promotion(closed);
      if (promotion != null) {
        BracketPlace place = place(entry.getKey(), promotion.round(), promotion.configuration());
        return begin(place, bracket, promotion.parameters());
      }
      if (bracket.hasRoom() && !closed) {
        return configuration(entry.getKey(), bracket, number);
      }
    }
    if (closed || (serial && !open.isEmpty())) {
      return null;
    }
    long fresh = begun;
    return configuration(fresh, bracket(fresh), number);
  }

  private @Nullable Suggestion configuration(long bracketNumber, Bracket bracket, long number) {
    double[] wish = proposals.propose(Rng.keyed(seed, number), distinct::isFree);
    double[] point = distinct.claim(wish);
    // Constraints may leave none, though not all are used: then those that have begun go on.
    return point == null
        ? next(number, true)
        : begin(place(bracketNumber, 0, number), bracket, axes.decode(point));
  }

  private Suggestion begin(BracketPlace place, Bracket bracket, Parameters parameters) {
    bracket.begin(place.configuration(), place.round(), parameters);
    Map<String, @Nullable Object> values = new LinkedHashMap<>(parameters.values());
    values.put(BUDGET, bracket.budget(place.round()));
    proposals.begin(place.id(), use(parameters));
    return new Suggestion(place.id(), new Parameters(values));
  }

  @Override
  public void remember(Suggestion suggestion) {
    Parameters parameters = ofTheSpace(suggestion.parameters());
    proposals.begin(suggestion.parameterId(), use(parameters));
    BracketPlace place = BracketPlace.of(suggestion.parameterId());
    Bracket bracket = place == null ? null : bracket(place);
    if (bracket != null && place != null) {
      bracket.begin(place.configuration(), place.round(), parameters);
    }
  }

  @Override
  public void learn(Result result) {
    Parameters parameters = ofTheSpace(result.parameters());
    double[] point = use(parameters);
    double loss = result.loss(direction);
    BracketPlace place = BracketPlace.of(result.parameterId());
    Bracket bracket = place == null ? null : bracket(place);
    if (bracket != null && place != null) {
      bracket.begin(place.configuration(), place.round(), parameters);
      bracket.end(place.configuration(), place.round(), loss);
      putAway();
    }
    String id = Objects.requireNonNullElseGet(result.parameterId(), () -> "user " + strangers++);
    long budget =
        result.parameters().values().get(BUDGET) instanceof Number number
            ? number.longValue()
            : ladder.most();
    proposals.learn(id, point, budget, loss);
  }

  private double[] use(Parameters parameters) {
    double[] point = axes.encode(parameters);
    if (point == null) {
      throw new IllegalArgumentException("does not fit: " + parameters.toJson());
    }
    distinct.use(point);
    return point;
  }

  @Override
  public boolean fits(Parameters parameters) {
    return axes.fits(ofTheSpace(parameters));
  }

  private static Parameters ofTheSpace(Parameters parameters) {
    Map<String, @Nullable Object> values = new LinkedHashMap<>(parameters.values());
    values.remove(BUDGET);
    return new Parameters(values);
  }

  // ---- brackets ------------------------------------------------------------------------------

  private int perIteration() {
    return ladder.top() + 1;
  }

  private BracketPlace place(long bracket, int round, long configuration) {
    int s = ladder.top() - (int) (bracket % perIteration());
    return new BracketPlace(bracket / perIteration(), s, round, configuration);
  }

  /** The bracket of a place; null when it is over, or none of this ladder. */
  private @Nullable Bracket bracket(BracketPlace place) {
    if (place.s() > ladder.top() || place.round() > place.s()) {
      return null;
    }
    long number = place.iteration() * perIteration() + ladder.top() - place.s();
    return number < begun ? open.get(number) : bracket(number);
  }

  /** Begins brackets up to a number, and gives that one. */
  private Bracket bracket(long number) {
    Bracket last = null;
    while (begun <= number) {
      int s = ladder.top() - (int) (begun % perIteration());
      last = new Bracket(ladder.bracket(s));
      open.put(begun++, last);
    }
    return Objects.requireNonNull(last, "had not begun");
  }

  private void putAway() {
    boolean closed = distinct.isUsedUp();
    open.values().removeIf(bracket -> bracket.over(closed));
  }
}
