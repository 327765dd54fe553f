package io.orrery.orchestrator.experiment.simulation;

import io.orrery.compute.catalog.Platforms;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.bus.contract.Simulations;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.orrery.core.trial.Parameters;
import io.orrery.orchestrator.experiment.directory.Creation;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Answers requests for simulations. They only compute, so this is deployed on a worker thread; one
 * runs at a time.
 */
public final class SimulationHandler extends VerticleBase {
  private static final int MOST_RUNS = 100;
  private static final long MOST_TRIALS = 200_000;

  private final Bus bus;
  private final Platforms platforms;
  private final Creation creation;
  private final Clock clock;
  private final RandomGenerator random;
  private boolean busy;

  /**
   * @param creation reads configurations, as for experiments that take place
   */
  public SimulationHandler(
      Bus bus, Platforms platforms, Creation creation, Clock clock, RandomGenerator random) {
    this.bus = bus;
    this.platforms = platforms;
    this.creation = creation;
    this.clock = clock;
    this.random = random;
  }

  @Override
  public Future<?> start() {
    return bus.serve(Simulations.REHEARSE, this::rehearse);
  }

  private Future<Simulations.Rehearsed> rehearse(Simulations.Rehearse wanted) {
    if (busy) {
      return Future.failedFuture(
          new Problem.Busy("another rehearsal is under way", Duration.ofSeconds(2)).toException());
    }
    busy = true;
    return creation
        .read(
            Experiments.Create.check(
                wanted.text(), wanted.base(), wanted.ownership(), wanted.serverFiles()))
        .compose(read -> {
          List<Finding> findings = check(read.spec(), wanted.runs());
          return findings.isEmpty()
              ? play(read, wanted.runs())
              : Future.failedFuture(Problem.Refused.of(findings).toException());
        })
        .onComplete(end -> busy = false);
  }

  private List<Finding> check(ExperimentSpec spec, int runs) {
    List<Finding> findings = new ArrayList<>();
    String platform = spec.job().trainingService().platform();
    if (!platforms.rehearses(platform)) {
      findings.add(
          new Finding(
              "/trainingService/platform",
              "is "
                  + platform
                  + "; a rehearsal needs {platform: simulated, objective: …, duration: …}"));
    }
    if (runs < 1 || runs > MOST_RUNS) {
      findings.add(new Finding("", "runs must be 1 to " + MOST_RUNS + ", this is " + runs));
    }
    Long most = spec.limits().maxTrialNumber();
    if (most == null && spec.limits().maxExperimentDuration() == null) {
      findings.add(
          new Finding(
              "/maxTrialNumber",
              "or maxExperimentDuration is needed: without a limit it would never end"));
    }
    if (most != null && most * Math.max(1, runs) > MOST_TRIALS) {
      findings.add(
          new Finding(
              "/maxTrialNumber",
              "times the number of runs must be at most %,d, this is %,d"
                  .formatted(MOST_TRIALS, most * runs)));
    }
    return findings;
  }

  private Future<Simulations.Rehearsed> play(Creation.Read read, int runs) {
    Session session = new Session(read, runs);
    long timer = vertx.setTimer(Simulations.LONGEST.toMillis(), late -> session.giveUp());
    return session.next().onComplete(end -> vertx.cancelTimer(timer));
  }

  /** The runs of one question, one after another. */
  private final class Session {
    private final Creation.Read read;
    private final int runs;
    private final SplittableRandom seeds;
    private final List<Simulations.Run> played = new ArrayList<>();
    private @Nullable SimulationRun present;
    private boolean late;

    Session(Creation.Read read, int runs) {
      this.read = read;
      this.runs = runs;
      this.seeds = new SplittableRandom(read.spec().search().seed());
    }

    void giveUp() {
      late = true;
      if (present != null) {
        present.abandon();
      }
    }

    Future<Simulations.Rehearsed> next() {
      if (played.size() == runs) {
        return Future.succeededFuture(answer());
      }
      // The first goes as the experiment itself would.
      long seed = played.isEmpty() ? read.spec().search().seed() : seeds.nextLong();
      ExperimentSpec spec = onVirtualTime(read.spec()).withSeed(seed);
      SimulationRun rehearsal =
          new SimulationRun(
              bus,
              ExperimentId.random(random),
              spec,
              clock,
              (virtual, listener) ->
                  platforms.rehearsing(spec.job().trainingService().platform(), virtual, listener));
      present = rehearsal;
      return rehearsal
          .run()
          .compose(
              run -> {
                played.add(run);
                return next();
              },
              failure ->
                  late && !played.isEmpty()
                      ? Future.succeededFuture(answer())
                      : Future.failedFuture(late ? tooLong() : failure));
    }

    private Throwable tooLong() {
      return new Problem.Refused(
              new Finding(
                  "/maxTrialNumber",
                  "a run of it takes longer than %d s to play: a rehearsal needs fewer trials"
                      .formatted(Simulations.LONGEST.toSeconds())))
          .toException();
    }

    private Simulations.Rehearsed answer() {
      List<String> notices = new ArrayList<>(read.notices());
      if (read.spec().search().assessor() != null) {
        notices.add("The assessor has no part in a rehearsal: every trial runs to its end.");
      }
      if (played.size() < runs) {
        notices.add(
            "%d of %d runs were played in %d s."
                .formatted(played.size(), runs, Simulations.LONGEST.toSeconds()));
      }
      return new Simulations.Rehearsed(read.spec(), played, notices);
    }
  }

  /** The clock of a rehearsal counts simulated seconds, as the limits of the experiment do. */
  private static ExperimentSpec onVirtualTime(ExperimentSpec spec) {
    Map<String, @Nullable Object> settings =
        new LinkedHashMap<>(spec.job().trainingService().settings().values());
    settings.put("speed", 1);
    return spec.withPlatformSettings(new Parameters(settings));
  }
}
