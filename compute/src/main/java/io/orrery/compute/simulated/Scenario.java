package io.orrery.compute.simulated;

import io.orrery.core.constraint.Formula;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.experiment.SearchSpec;
import io.orrery.core.metric.Direction;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.space.SearchSpace;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The behaviour of simulated trials, as the section {@code trainingService} says.
 *
 * @param objective the result of a trial
 * @param noise standard deviation of what is added to a result
 * @param reports how many intermediate results a trial has
 * @param queueing how long it waits on the platform
 * @param duration how long it runs
 * @param delay how late its news arrive
 * @param failures the share of attempts that end with exit code 1, 0 to 1
 * @param losses the share whose end the platform does not know
 * @param duplicates the share of news that arrive twice
 * @param outages when the platform cannot be reached, null for never
 * @param speed simulated seconds in a second of the clock
 */
record Scenario(
    Formula objective,
    double noise,
    int reports,
    Span queueing,
    Span duration,
    Span delay,
    double failures,
    double losses,
    double duplicates,
    @Nullable Spells outages,
    double speed,
    Direction direction,
    long seed) {
  /** The search of steps, which report nothing: their chance follows from their names. */
  static final SearchSpec OF_STEPS = SearchSpec.random(SearchSpace.EMPTY, Direction.MAXIMIZE, 0);

  private static final String AT = "/trainingService/";

  /** The distributions that spells of outage are drawn from. */
  record Spells(Span every, Span lasting) {}

  /** The scenario that was read, or the findings about it. */
  record Reading(Optional<Scenario> scenario, List<Finding> findings) {}

  /** The chance of one thing of this scenario and no other. */
  SplittableRandom chance(long... key) {
    long mixed = seed;
    for (long part : key) {
      mixed = new SplittableRandom(mixed ^ (part + 1) * 0x9E3779B97F4A7C15L).nextLong();
    }
    return new SplittableRandom(mixed);
  }

  /**
   * The scenario of a job that was checked.
   *
   * @throws ProblemException Refused
   */
  static Scenario of(JobSpec job, SearchSpec search) {
    Reading reading = read(job, search);
    return reading
        .scenario()
        .orElseThrow(() -> Problem.Refused.of(reading.findings()).toException());
  }

  static Reading read(JobSpec job, SearchSpec search) {
    return new Reader(job, search).read();
  }

  /** Reads the settings that have a language of their own; the rest was read by their schema. */
  private static final class Reader {
    private final SearchSpec search;
    private final Map<String, @Nullable Object> settings;
    private final List<Finding> findings = new ArrayList<>();

    Reader(JobSpec job, SearchSpec search) {
      this.search = search;
      this.settings = job.trainingService().settings().values();
    }

    Reading read() {
      Formula objective = objective();
      Span queueing = span("queueing", settings, "");
      Span duration = span("duration", settings, "");
      Span delay = span("delay", settings, "");
      Spells outages = outages();
      if (search.objectives().several()) {
        findings.add(
            new Finding("/objectives", "are several: a simulated trial reports one number only"));
      }
      if (objective == null || !findings.isEmpty()) {
        return new Reading(Optional.empty(), List.copyOf(findings));
      }
      Scenario scenario =
          new Scenario(
              objective,
              number("noise", 0),
              (int) number("reports", 0),
              queueing,
              duration,
              delay,
              number("failures", 0),
              number("losses", 0),
              number("duplicates", 0),
              outages,
              number("speed", 1),
              search.direction(),
              search.seed());
      return new Reading(Optional.of(scenario), List.of());
    }

    private @Nullable Formula objective() {
      String at = AT + "objective";
      try {
        Formula formula = Formula.read(String.valueOf(settings.get("objective")));
        formula
            .check(search.parameterShape().kinds())
            .forEach(fault -> findings.add(new Finding(at, "is wrong at " + fault)));
        return formula;
      } catch (ProblemException e) {
        findings.add(new Finding(at, "is wrong at " + e.problem().detail()));
        return null;
      }
    }

    private @Nullable Spells outages() {
      return settings.get("outages") instanceof Map<?, ?> given
          ? new Spells(span("every", given, "outages/"), span("lasting", given, "outages/"))
          : null;
    }

    private Span span(String key, Map<?, ?> of, String path) {
      Object text = of.get(key);
      try {
        return Span.read(text == null ? "0" : text.toString());
      } catch (IllegalArgumentException e) {
        findings.add(new Finding(AT + path + key, String.valueOf(e.getMessage())));
        return Span.read("0");
      }
    }

    private double number(String key, double standard) {
      return settings.get(key) instanceof Number number ? number.doubleValue() : standard;
    }
  }
}
