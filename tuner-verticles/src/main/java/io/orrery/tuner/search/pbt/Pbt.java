package io.orrery.tuner.search.pbt;

import io.orrery.core.bus.contract.Tuners.Suggestion;
import io.orrery.core.bus.contract.Tuners.Suggestions;
import io.orrery.core.metric.Direction;
import io.orrery.core.problem.Finding;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.trial.Parameters;
import io.orrery.tuner.encode.Axes;
import io.orrery.tuner.math.Rng;
import io.orrery.tuner.search.Arguments;
import io.orrery.tuner.search.Description;
import io.orrery.tuner.search.Option;
import io.orrery.tuner.search.Options;
import io.orrery.tuner.search.Result;
import io.orrery.tuner.search.Setting;
import io.orrery.tuner.search.Shape;
import io.orrery.tuner.search.Tuner;
import io.orrery.tuner.search.TunerFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A tuner by population based training (Jaderberg and others: "Population based training of neural
 * networks", 2017), synchronous as NNI's, with its arguments and defaults. A population trains step
 * by step, each member from its own checkpoint; after a step those that are behind go on from the
 * checkpoint of one of the best, with its parameters changed a little. So a schedule of parameters
 * is found in the time of one training.
 *
 * <p>A trial is told {@code load_checkpoint_dir} and {@code save_checkpoint_dir}, which are {@code
 * <all_checkpoint_dir>/<member>/<step>}; in its first step both are the same, and there is nothing
 * to load yet. The trial makes the directory. A member that failed counts as behind, whatever the
 * {@code fraction}: there may be no checkpoint to go on from.
 */
public final class Pbt implements Tuner {
  private static final String LOAD = "load_checkpoint_dir";
  private static final String SAVE = "save_checkpoint_dir";
  private static final Pattern ID = Pattern.compile("(\\d{1,9})_(\\d{1,6})_\\d{1,18}");

  private static final Option<String> DIRECTORY =
      Option.of(
          "all_checkpoint_dir",
          new Shape.Text(),
          "Where the members' checkpoints are, as trials see it; without it in the directory of the"
              + " experiment, which only trials on this machine can reach.");
  private static final Option<Long> POPULATION =
      Option.of("population_size", new Shape.Whole(1, 100_000), 10L, "How many train at a time.");
  private static final Option<Double> FACTOR =
      Option.of(
          "factor",
          new Shape.Real(0, 1),
          0.2,
          "By which share of its range a parameter is changed.");
  private static final Option<Double> RESAMPLE =
      Option.of(
          "resample_probability",
          new Shape.Real(0, 1),
          0.25,
          "How probable it is that a parameter is drawn anew instead.");
  private static final Option<Double> FRACTION =
      Option.of(
          "fraction",
          new Shape.Real(0, 0.5),
          0.2,
          "Which part of the population is behind, and which is the best.");

  /** The catalogue's entry. */
  public static final TunerFactory FACTORY =
      new TunerFactory() {
        @Override
        public Description description() {
          return new Description(
              "PBT",
              List.of("PBTTuner"),
              "Trains a population step by step; who is behind goes on from one of the best.",
              Set.copyOf(Description.ALL_TYPES),
              List.of(
                  Options.OPTIMIZE_MODE,
                  Options.SEED,
                  DIRECTORY,
                  POPULATION,
                  FACTOR,
                  RESAMPLE,
                  FRACTION),
              0);
        }

        @Override
        public List<Finding> check(SearchSpace space) {
          return Stream.of(LOAD, SAVE)
              .filter(space.dimensions()::containsKey)
              .map(name ->
                  new Finding(
                      "/searchSpace/" + name,
                      "is a name by which PBT tells a trial of its checkpoints; call yours"
                          + " otherwise"))
              .toList();
        }

        @Override
        public Tuner open(Setting setting) {
          return new Pbt(setting);
        }
      };

  private final Axes axes;
  private final Direction direction;
  private final long seed;
  private final String directory;
  private final int population;
  private final double fraction;
  private final Explore explore;

  /** The step that runs, the one before, and in a replay those of which no result is in yet. */
  private final SortedMap<Integer, Step> steps = new TreeMap<>();

  private int now;

  private Pbt(Setting setting) {
    Arguments arguments = setting.arguments();
    axes = Axes.of(setting.space());
    direction = setting.direction();
    seed = setting.effectiveSeed();
    directory = arguments.find(DIRECTORY).orElse(setting.directory() + "/checkpoint");
    population = arguments.get(POPULATION).intValue();
    fraction = arguments.get(FRACTION);
    explore = new Explore(axes, arguments.get(FACTOR), arguments.get(RESAMPLE));
  }

  private record Place(int step, int member) {}

  private static @Nullable Place place(@Nullable String id) {
    Matcher parts = ID.matcher(id == null ? "" : id);
    return parts.matches()
        ? new Place(Integer.parseInt(parts.group(1)), Integer.parseInt(parts.group(2)))
        : null;
  }

  @Override
  public Suggestions suggest(int count, long firstNumber) {
    List<Suggestion> items = new ArrayList<>();
    for (long number = firstNumber; items.size() < count; number++) {
      int member = step(now).missing(population);
      if (member < 0) {
        break;
      }
      Suggestion suggestion = suggestion(member, number);
      remember(suggestion);
      items.add(suggestion);
    }
    return new Suggestions(items, false);
  }

  private Suggestion suggestion(int member, long number) {
    Rng rng = Rng.keyed(seed, number);
    int source = source(member, rng.split(1));
    Parameters before = now == 0 ? null : step(now - 1).parameters(source);
    double[] point = before == null ? null : axes.encode(before);
    if (point == null) {
      point = axes.sample(rng);
    } else if (source != member) {
      point = explore.from(point, rng.split(2));
    }
    Map<String, @Nullable Object> values =
        new LinkedHashMap<>(axes.decode(axes.repaired(point)).values());
    values.put(LOAD, checkpoint(now == 0 ? member : source, Math.max(0, now - 1)));
    values.put(SAVE, checkpoint(member, now));
    return new Suggestion(now + "_" + member + "_" + number, new Parameters(values));
  }

  /** From whom a member goes on: itself, unless it is behind. */
  private int source(int member, Rng rng) {
    if (now == 0) {
      return member;
    }
    Step before = step(now - 1);
    int part = (int) Math.ceil(fraction * population);
    List<Integer> best = before.best();
    if (best.isEmpty() || !before.isBehind(member, part)) {
      return member;
    }
    return best.get(rng.nextInt(Math.clamp(part, 1, best.size())));
  }

  private String checkpoint(int member, int step) {
    return directory + "/" + member + "/" + step;
  }

  private Step step(int number) {
    return steps.computeIfAbsent(number, n -> new Step());
  }

  @Override
  public void remember(Suggestion suggestion) {
    Place place = place(suggestion.parameterId());
    if (place != null && place.member() < population && place.step() >= now) {
      step(place.step()).begin(place.member(), ofTheSpace(suggestion.parameters()));
    }
  }

  @Override
  public void learn(Result result) {
    Place place = place(result.parameterId());
    Step step = place == null ? null : steps.get(place.step());
    if (place == null || step == null || !step.has(place.member())) {
      return;
    }
    step.end(place.member(), result.loss(direction));
    while (step(now).isOver(population)) {
      now++;
      steps.headMap(now - 1).clear();
    }
  }

  @Override
  public boolean fits(Parameters parameters) {
    return axes.fits(ofTheSpace(parameters));
  }

  private static Parameters ofTheSpace(Parameters parameters) {
    Map<String, @Nullable Object> values = new LinkedHashMap<>(parameters.values());
    values.remove(LOAD);
    values.remove(SAVE);
    return new Parameters(values);
  }
}
