package io.orrery.tuner.host;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Tuners;
import io.orrery.core.bus.contract.Tuners.Assess;
import io.orrery.core.bus.contract.Tuners.Assessed;
import io.orrery.core.bus.contract.Tuners.Open;
import io.orrery.core.bus.contract.Tuners.Opened;
import io.orrery.core.bus.contract.Tuners.Tell;
import io.orrery.core.bus.contract.Tuners.Told;
import io.orrery.core.experiment.ExperimentId;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.orrery.tuner.host.Catalog.ChosenAssessor;
import io.orrery.tuner.host.Catalog.ChosenTuner;
import io.orrery.tuner.search.Setting;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Answers the {@link Tuners} addresses. Holds one {@link TunerHandle} and perhaps an {@link
 * AssessorHandle} for each experiment that has opened a tuner, and nothing durable: whoever opens
 * again after a restart gets the same ones, by replay. To be deployed once.
 */
public final class TunerVerticle extends VerticleBase {
  private final Bus bus;
  private final Catalog catalog;
  private final Clock clock;
  private final Workers workers;
  private final Path experiments;
  private final Map<ExperimentId, TunerHandle> tuners = new HashMap<>();
  private final Map<ExperimentId, AssessorHandle> assessors = new HashMap<>();
  private AlgorithmThreads threads;

  /**
   * @param experiments below which each experiment has a directory of its own; not looked at here
   */
  @SuppressWarnings("NullAway.Init") // start() makes the threads before anything is served
  public TunerVerticle(Bus bus, Catalog catalog, Clock clock, Workers workers, Path experiments) {
    this.bus = bus;
    this.catalog = catalog;
    this.clock = clock;
    this.workers = workers;
    this.experiments = experiments;
  }

  @Override
  public Future<?> start() {
    threads = new AlgorithmThreads(vertx, clock, workers);
    return Future.all(
        List.of(
            bus.serve(Tuners.CHECK, question -> Future.succeededFuture(catalog.check(question))),
            bus.serve(Tuners.LIST, question -> Future.succeededFuture(catalog.list())),
            bus.serve(Tuners.OPEN, this::open),
            bus.serve(Tuners.ASK, ask -> tuner(ask.experiment(), tuner -> tuner.ask(ask))),
            bus.serve(Tuners.TELL, this::tell),
            bus.serve(Tuners.ASSESS, this::assess),
            bus.serve(Tuners.CLOSE, question -> close(question.experiment()))));
  }

  @Override
  public Future<?> stop() {
    tuners.values().forEach(TunerHandle::close);
    assessors.values().forEach(AssessorHandle::close);
    threads.close();
    return Future.succeededFuture();
  }

  private Future<Opened> open(Open open) {
    ChosenTuner tuner = catalog.chooseTuner(open.algorithm(), open.space());
    ChosenAssessor assessor =
        open.assessor() == null ? null : catalog.chooseAssessor(open.assessor());
    close(open.experiment());
    openTuner(open, tuner);
    if (assessor != null) {
      openAssessor(open, assessor);
    }
    return Future.succeededFuture(new Opened(tuner.factory().description().askAhead()));
  }

  private void openTuner(Open open, ChosenTuner chosen) {
    Setting setting =
        new Setting(
            open.space(),
            chosen.arguments(),
            open.direction(),
            open.seed(),
            experiments.resolve(open.experiment().value()).toString());
    Past past = new Past(bus, open.experiment());
    TunerHandle tuner =
        new TunerHandle(
            chosen.factory().description().name(),
            open.experiment(),
            new Replay(past, threads, chosen.factory(), setting),
            threads,
            clock,
            workers,
            open.throughOrdinal());
    tuners.put(open.experiment(), tuner);
    tuner.begin();
  }

  private void openAssessor(Open open, ChosenAssessor chosen) {
    Past past = new Past(bus, open.experiment());
    Curves curves = new Curves(bus);
    AssessorHandle assessor =
        new AssessorHandle(
            chosen.factory().description().name(),
            open.experiment(),
            new AssessorReplay(
                open.experiment(), past, curves, threads, () -> chosen.open(open.direction())),
            curves,
            threads,
            clock,
            workers,
            open.throughOrdinal());
    assessors.put(open.experiment(), assessor);
    assessor.begin();
  }

  /** The tuner's answer counts; an assessor that fails says so when it is asked. */
  private Future<Told> tell(Tell tell) {
    AssessorHandle assessor = assessors.get(tell.experiment());
    if (assessor != null) {
      assessor.tell(tell.results());
    }
    return tuner(tell.experiment(), tuner -> tuner.tell(tell.results()));
  }

  private Future<Assessed> assess(Assess question) {
    ExperimentId experiment = question.attempt().trial().experiment();
    AssessorHandle assessor = assessors.get(experiment);
    return assessor == null ? notOpen(experiment, "assessor") : assessor.assess(question.attempt());
  }

  private Future<Told> close(ExperimentId experiment) {
    TunerHandle tuner = tuners.remove(experiment);
    if (tuner != null) {
      tuner.close();
    }
    AssessorHandle assessor = assessors.remove(experiment);
    if (assessor != null) {
      assessor.close();
    }
    return Future.succeededFuture(new Told());
  }

  private <A> Future<A> tuner(ExperimentId experiment, Function<TunerHandle, Future<A>> question) {
    TunerHandle tuner = tuners.get(experiment);
    return tuner == null ? notOpen(experiment, "tuner") : question.apply(tuner);
  }

  private static <A> Future<A> notOpen(ExperimentId experiment, String kind) {
    return Future.failedFuture(
        new Problem.NotFound("experiment " + experiment + " has no open " + kind).toException());
  }
}
