package io.orrery.tuner.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.orrery.core.bus.contract.Tuners.Suggestion;
import io.orrery.core.bus.contract.Tuners.Suggestions;
import io.orrery.core.metric.Direction;
import io.orrery.core.metric.Objectives;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.trial.Parameters;
import io.orrery.tuner.encode.Axes;
import io.orrery.tuner.encode.Ranking;
import io.orrery.tuner.math.Rng;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.DoubleSupplier;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract of every tuner, whatever its idea; each algorithm's test extends it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class TunerContract {
  protected abstract TunerFactory factory();

  /** What is searched for. */
  protected Objectives objectives() {
    return Objectives.of(Direction.MINIMIZE);
  }

  /** The spaces to be searched. */
  protected List<SearchSpace> spaces() {
    return Spaces.ALL;
  }

  /** Spaces of which every point shall be suggested once. */
  protected List<SearchSpace> finiteSpaces() {
    return List.of(
        Spaces.FINITE,
        Spaces.FINITE_NESTED,
        Spaces.one("choice", "[\"a\", \"a\", 2]"),
        Spaces.one("quniform", "[-1, 1, 0.4]"));
  }

  /** A space with room for many thousands of suggestions. */
  protected List<SearchSpace> wideSpaces() {
    return List.of(Spaces.CONTINUOUS, Spaces.NESTED);
  }

  /** Spaces with constraints, of which every point that may be tried shall be suggested once. */
  protected List<SearchSpace> constrainedSpaces() {
    return Spaces.CONSTRAINED;
  }

  protected void assertInside(SearchSpace space, Parameters parameters) {
    Inside.assertInside(space, parameters.values());
  }

  protected int points(SearchSpace space) {
    return Ranking.of(Axes.of(space)).map(Ranking::size).map(BigInteger::intValueExact).orElse(-1);
  }

  /** Parameters of one earlier trial of a space. */
  protected Parameters earlier(SearchSpace space, int number) {
    Axes axes = Axes.of(space);
    return axes.decode(axes.sample(Rng.keyed(99, number)));
  }

  protected final Tuner open(SearchSpace space, long seed) {
    return factory().open(new Setting(space, Arguments.NONE, objectives(), seed, "."));
  }

  private sealed interface Event {
    record Suggested(long number, Suggestion suggestion) implements Event {}

    record Ended(Result result) implements Event {}
  }

  @ParameterizedTest
  @MethodSource("spaces")
  void everySuggestionLiesInTheSpaceAndHasTheRightTypes(SearchSpace space) {
    for (Event event : play(open(space, 1), 120, 5)) {
      if (event instanceof Event.Suggested(long number, Suggestion suggestion)) {
        assertInside(space, suggestion.parameters());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("spaces")
  void whatWasSuggestedFitsAfterATripThroughJson(SearchSpace space) {
    Tuner tuner = open(space, 2);
    for (Suggestion suggestion : tuner.suggest(50, 0).items()) {
      assertThat(tuner.fits(Spaces.read(suggestion.parameters().toJson()))).isTrue();
    }
    assertThat(tuner.fits(Spaces.read("{\"stranger\": 1}"))).isFalse();
    assertThat(tuner.fits(Parameters.EMPTY)).isFalse();
  }

  @ParameterizedTest
  @MethodSource("spaces")
  void theSameSeedAndHistoryGiveTheSameSuggestions(SearchSpace space) {
    assertThat(play(open(space, 3), 100, 8)).isEqualTo(play(open(space, 3), 100, 8));
  }

  @ParameterizedTest
  @MethodSource("spaces")
  void suggestionsAskedForTogetherAreThoseAskedForOneByOne(SearchSpace space) {
    List<Suggestion> together = open(space, 4).suggest(12, 0).items();
    Tuner tuner = open(space, 4);
    List<Suggestion> single = new ArrayList<>();
    for (int number = 0; number < 12; number++) {
      single.addAll(tuner.suggest(1, number).items());
    }
    assertThat(together).isEqualTo(single);
    assertThat(together).extracting(Suggestion::parameterId).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @MethodSource("spaces")
  void aRebuiltTunerGoesOnAsOneThatNeverStopped(SearchSpace space) {
    List<Event> events = play(open(space, 5), 150, 7);
    RandomGenerator random = Rng.keyed(5, 5);
    for (int repeat = 0; repeat < 6; repeat++) {
      int cut = random.nextInt(events.size());
      Tuner rebuilt = open(space, 5);
      events.subList(0, cut).forEach(event -> replay(rebuilt, event));
      continueAs(rebuilt, events.subList(cut, events.size()));
    }
  }

  @ParameterizedTest
  @MethodSource("spaces")
  void itDoesNotMatterWhereInThePastSuggestionsWereRecorded(SearchSpace space) {
    List<Event> events = play(open(space, 6), 150, 7);
    int cut = events.size() / 2;
    List<Event> past = events.subList(0, cut);
    Tuner rebuilt = open(space, 6);
    past.stream().filter(Event.Suggested.class::isInstance).forEach(e -> replay(rebuilt, e));
    past.stream().filter(Event.Ended.class::isInstance).forEach(e -> replay(rebuilt, e));
    continueAs(rebuilt, events.subList(cut, events.size()));
  }

  /** A plan may be taken back, because of a stop, a pause or a lower limit: no history holds it. */
  @ParameterizedTest
  @MethodSource("finiteSpaces")
  public void whatWasTakenBackIsSuggestedAgainOnceOpenedAgain(SearchSpace space) {
    List<Suggestion> kept = new ArrayList<>();
    RandomGenerator random = Rng.keyed(11, 0);
    long number = 0;
    boolean exhausted = false;
    while (!exhausted) {
      Tuner tuner = open(space, 10);
      kept.forEach(tuner::remember);
      Suggestions next = tuner.suggest(3, number);
      number += next.items().size();
      int takenBack = next.items().isEmpty() ? 0 : random.nextInt(next.items().size());
      kept.addAll(next.items().subList(takenBack, next.items().size()));
      exhausted = next.exhausted() && takenBack == 0;
    }
    assertThat(kept)
        .extracting(suggestion -> suggestion.parameters().canonical())
        .doesNotHaveDuplicates()
        .hasSize(points(space));
  }

  @ParameterizedTest
  @MethodSource("finiteSpaces")
  public void aFiniteSpaceIsUsedUpWithoutRepetition(SearchSpace space) {
    Tuner tuner = open(space, 7);
    Set<String> seen = new HashSet<>();
    boolean exhausted = false;
    for (int number = 0; !exhausted; ) {
      Suggestions next = tuner.suggest(3, number);
      for (Suggestion suggestion : next.items()) {
        assertThat(seen.add(suggestion.parameters().canonical())).isTrue();
        int value = number++ % 7;
        tuner.learn(ended(suggestion, () -> value));
      }
      exhausted = next.exhausted();
      assertThat(exhausted || next.items().size() == 3).isTrue();
    }
    assertThat(seen).hasSize(points(space));
    Suggestions after = tuner.suggest(5, seen.size());
    assertThat(after.items()).isEmpty();
    assertThat(after.exhausted()).isTrue();
  }

  @ParameterizedTest
  @MethodSource("constrainedSpaces")
  void whatBreaksAConstraintIsNotSuggestedAndARebuiltTunerDoesTheSame(SearchSpace space) {
    List<Event> events = play(open(space, 12), 120, 6);
    for (Event event : events) {
      if (event instanceof Event.Suggested(long number, Suggestion suggestion)) {
        assertInside(space, suggestion.parameters());
        assertThat(space.constraints()).allMatch(c -> c.holds(suggestion.parameters().values()));
      }
    }
    int cut = events.size() / 2;
    Tuner rebuilt = open(space, 12);
    events.subList(0, cut).forEach(event -> replay(rebuilt, event));
    continueAs(rebuilt, events.subList(cut, events.size()));
  }

  @ParameterizedTest
  @MethodSource("constrainedSpaces")
  public void everyPointOfAFiniteSpaceThatMayBeTriedIs(SearchSpace space) {
    int points = points(space);
    assumeThat(points).isPositive();
    Tuner tuner = open(space, 13);
    Set<String> seen = new HashSet<>();
    for (boolean exhausted = false; !exhausted; ) {
      Suggestions next = tuner.suggest(3, seen.size());
      for (Suggestion suggestion : next.items()) {
        assertThat(seen.add(suggestion.parameters().canonical())).isTrue();
        tuner.learn(ended(suggestion, seen::size));
      }
      exhausted = next.exhausted();
      assertThat(seen.size()).isLessThanOrEqualTo(points);
    }
    assertThat(seen).hasSize(allowed(space));
  }

  /** How many points of a countable space may be tried. */
  protected int allowed(SearchSpace space) {
    Axes axes = Axes.of(space);
    Ranking ranking = Ranking.of(axes).orElseThrow();
    return (int)
        IntStream.range(0, points(space))
            .filter(rank -> axes.allows(ranking.point(BigInteger.valueOf(rank))))
            .count();
  }

  @ParameterizedTest
  @MethodSource("wideSpaces")
  void allTrialsMayFail(SearchSpace space) {
    Tuner tuner = open(space, 8);
    for (int number = 0; number < 60; number++) {
      Suggestion next = tuner.suggest(1, number).items().getFirst();
      assertInside(space, next.parameters());
      tuner.learn(ended(next, () -> Double.NaN));
    }
  }

  @ParameterizedTest
  @MethodSource("wideSpaces")
  void tenThousandTrialsReplayQuickly(SearchSpace space) {
    assertTimeoutPreemptively(
        Duration.ofSeconds(20),
        () -> {
          Tuner tuner = open(space, 9);
          for (int number = 0; number < 10_000; number++) {
            Suggestion past = new Suggestion(Integer.toString(number), earlier(space, number));
            tuner.remember(past);
            int value = number % 101;
            tuner.learn(ended(past, () -> value));
          }
          assertThat(tuner.suggest(1, 10_000)).isNotNull();
        });
  }

  /**
   * Runs trials in parallel: some fail, some report nonsense, they end in any order, and users add
   * their own.
   */
  private List<Event> play(Tuner tuner, int steps, int parallel) {
    List<Event> events = new ArrayList<>();
    List<Suggestion> running = new ArrayList<>();
    RandomGenerator random = Rng.keyed(1234, steps);
    long number = 0;
    for (int step = 0; step < steps; step++) {
      if (running.size() < parallel && random.nextInt(3) > 0) {
        for (Suggestion suggestion : tuner.suggest(1, number).items()) {
          events.add(new Event.Suggested(number++, suggestion));
          running.add(suggestion);
        }
      } else if (!running.isEmpty()) {
        Suggestion done = running.remove(random.nextInt(running.size()));
        boolean user = random.nextInt(12) == 0;
        Result ended = ended(done, () -> outcome(random));
        Result result = user ? new Result(null, ended.parameters(), ended.values()) : ended;
        tuner.learn(result);
        events.add(new Event.Ended(result));
      }
    }
    return events;
  }

  /** A result with a value for each objective. */
  private Result ended(Suggestion trial, DoubleSupplier value) {
    List<Double> values =
        objectives().all().stream().map(objective -> value.getAsDouble()).toList();
    return new Result(trial.parameterId(), trial.parameters(), values);
  }

  private static double outcome(RandomGenerator random) {
    return switch (random.nextInt(10)) {
      case 0 -> Double.NaN;
      case 1 -> random.nextBoolean() ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
      default -> random.nextDouble();
    };
  }

  private static void replay(Tuner tuner, Event event) {
    switch (event) {
      case Event.Suggested(long number, Suggestion suggestion) -> tuner.remember(suggestion);
      case Event.Ended(Result result) -> tuner.learn(result);
    }
  }

  private static void continueAs(Tuner tuner, List<Event> future) {
    for (Event event : future) {
      switch (event) {
        case Event.Suggested(long number, Suggestion suggestion) ->
            assertThat(tuner.suggest(1, number).items()).containsExactly(suggestion);
        case Event.Ended(Result result) -> tuner.learn(result);
      }
    }
  }
}
