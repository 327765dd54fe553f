package io.orrery.tuner.host;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Incumbents;
import io.orrery.core.bus.contract.Transfers;
import io.orrery.core.bus.contract.Trials.Settled;
import io.orrery.core.bus.contract.Tuners;
import io.orrery.core.bus.contract.Tuners.Ask;
import io.orrery.core.bus.contract.Tuners.Assess;
import io.orrery.core.bus.contract.Tuners.Assessed;
import io.orrery.core.bus.contract.Tuners.Open;
import io.orrery.core.bus.contract.Tuners.Opened;
import io.orrery.core.bus.contract.Tuners.Suggestions;
import io.orrery.core.bus.contract.Tuners.Tell;
import io.orrery.core.bus.contract.Tuners.Told;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.lease.Leases;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.orrery.tuner.dispatcher.Doorplate;
import io.orrery.tuner.host.Algorithms.Chosen;
import io.orrery.tuner.python.Interpreter;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

/**
 * Answers the {@link Tuners} addresses. Holds one {@link TunerHandle} and perhaps an {@link
 * AssessorHandle} for each experiment that has opened a tuner, and nothing durable: an owner that
 * opens again after a restart gets the same ones, by replay. To be deployed once.
 */
public final class TunerVerticle extends VerticleBase {
  private final Bus bus;
  private final Clock clock;
  private final Workers workers;
  private final DispatcherHandler dispatchers;
  private final Registry registry;
  private final Algorithms algorithms;
  private final Curves curves;
  private final TunerPlaces places;
  private final HistoryReadLimiter room = new HistoryReadLimiter();
  private final Map<ExperimentId, TunerHandle> tuners = new HashMap<>();
  private final Map<ExperimentId, AssessorHandle> assessors = new HashMap<>();

  /** Experiments whose tuner judges their trials itself. */
  private final Set<ExperimentId> advisors = new HashSet<>();

  private AlgorithmThreads threads;
  private ImportanceHandler importance;
  private TransferHandler transfer;
  private IncumbentHandler incumbent;

  /**
   * @param leases by which it is seen that an owner has gone
   * @param python runs what users wrote themselves
   * @param doorplate where NNI's dispatcher connects
   * @param experiments below which each experiment has a directory of its own; not looked at here
   */
  @SuppressWarnings("NullAway.Init") // start() makes them before anything is served
  public TunerVerticle(
      Bus bus,
      Catalog catalog,
      Leases leases,
      Clock clock,
      Workers workers,
      Interpreter python,
      Doorplate doorplate,
      Path experiments) {
    this.bus = bus;
    this.clock = clock;
    this.workers = workers;
    this.dispatchers = new DispatcherHandler(bus, clock, doorplate, this::renew);
    this.curves = new Curves(bus);
    this.places = new TunerPlaces(leases, clock, this::forget);
    this.registry = new Registry(experiments.resolveSibling("algorithms.json"), catalog);
    this.algorithms =
        new Algorithms(bus, catalog, registry, python, dispatchers::expect, experiments);
  }

  @Override
  public Future<?> start() {
    threads = new AlgorithmThreads(vertx, clock, workers);
    importance = new ImportanceHandler(bus, room, vertx, clock);
    transfer = new TransferHandler(bus, room, vertx, clock);
    incumbent = new IncumbentHandler(bus, room, vertx, clock);
    places.watch();
    return vertx
        .executeBlocking(
            () -> {
              registry.read();
              return registry;
            },
            false)
        .compose(read -> serve());
  }

  private Future<?> serve() {
    return Future.all(
        List.of(
            bus.serve(
                Tuners.CHECK,
                question -> vertx.executeBlocking(() -> algorithms.check(question), false)),
            dispatchers.open(),
            bus.serve(Tuners.LIST, question -> Future.succeededFuture(algorithms.list())),
            bus.serve(Tuners.REGISTER, wanted -> blocking(() -> registry.register(wanted))),
            bus.serve(Tuners.CHECK_REGISTER, wanted -> blocking(() -> registry.check(wanted))),
            bus.serve(Tuners.UNREGISTER, gone -> blocking(() -> registry.unregister(gone.name()))),
            bus.serve(Tuners.OPEN, this::open),
            bus.serve(Transfers.WORTH, question -> transfer.of(question.experiment())),
            bus.serve(Incumbents.INCUMBENT, question -> incumbent.of(question.experiment())),
            bus.serve(Tuners.IMPORTANCE, question -> importance.of(question.experiment()))));
  }

  @Override
  public Future<?> stop() {
    tuners.values().forEach(TunerHandle::close);
    assessors.values().forEach(AssessorHandle::close);
    places.stop();
    threads.close();
    importance.close();
    transfer.close();
    incumbent.close();
    return Future.succeededFuture();
  }

  private Future<Told> blocking(Runnable work) {
    return vertx.executeBlocking(
        () -> {
          work.run();
          return new Told();
        },
        true);
  }

  private Future<Opened> open(Open open) {
    if (places.isOutdated(open)) {
      throw new Problem.Conflict(
              "Another server has opened the tuner of experiment " + open.experiment() + ".")
          .toException();
    }
    Chosen<HostedTuner.Opening> tuner = algorithms.tuner(open);
    Chosen<HostedAssessor.Opening> assessor = algorithms.assessor(open);
    close(open.experiment());
    openTuner(open, tuner);
    if (assessor != null) {
      openAssessor(open, assessor);
    }
    if (Algorithms.isAdvisor(open)) {
      advisors.add(open.experiment());
    }
    return places
        .open(
            open,
            List.of(
                bus.serve(Tuners.ASK.of(open.place()), this::ask),
                bus.serve(Tuners.TELL.of(open.place()), this::tell),
                bus.serve(Tuners.ASSESS.of(open.place()), this::assess),
                bus.serve(Tuners.CLOSE.of(open.place()), gone -> forget(gone.experiment()))))
        .map(served -> new Opened(tuner.askAhead()));
  }

  /** A guest goes before the tuner that was chosen. */
  private HostedTuner.Opening withGuests(Open open, HostedTuner.Opening chosen) {
    return new HostedTuner.Opening() {
      @Override
      public Future<HostedTuner.Opening> prepared() {
        return chosen.prepared().map(ready -> withGuests(open, ready));
      }

      @Override
      public HostedTuner open(boolean resumed) throws Exception {
        GuestTuner guest = dispatchers.guest(open.experiment(), open.space());
        return guest == null ? chosen.open(resumed) : guest;
      }
    };
  }

  private void openTuner(Open open, Chosen<HostedTuner.Opening> chosen) {
    TunerHandle tuner =
        new TunerHandle(
            chosen.name(),
            open.experiment(),
            new Replay(
                new HistoryReader(bus, room, open.experiment()),
                threads,
                withGuests(open, chosen.opening())),
            threads,
            clock,
            workers,
            open.throughOrdinal());
    tuners.put(open.experiment(), tuner);
    tuner.begin();
  }

  private void openAssessor(Open open, Chosen<HostedAssessor.Opening> chosen) {
    AssessorHandle assessor =
        new AssessorHandle(
            chosen.name(),
            open.experiment(),
            new AssessorReplay(
                open.experiment(),
                new HistoryReader(bus, room, open.experiment()),
                room,
                curves,
                threads,
                chosen.opening()),
            threads,
            clock,
            workers,
            open.throughOrdinal());
    assessors.put(open.experiment(), assessor);
    assessor.begin();
  }

  private Future<Suggestions> ask(Ask ask) {
    tellAssessor(ask.experiment(), ask.news());
    return tuner(ask.experiment(), tuner -> tuner.ask(ask));
  }

  private Future<Told> tell(Tell tell) {
    tellAssessor(tell.experiment(), tell.results());
    return tuner(tell.experiment(), tuner -> tuner.tell(tell.results()));
  }

  /** The tuner's answer counts; an assessor that fails says so when it is asked. */
  private void tellAssessor(ExperimentId experiment, List<Settled> news) {
    AssessorHandle assessor = assessors.get(experiment);
    if (assessor != null && !news.isEmpty()) {
      assessor.tell(news);
    }
  }

  private Future<Assessed> assess(Assess question) {
    ExperimentId experiment = question.attempt().trial().experiment();
    AssessorHandle assessor = assessors.get(experiment);
    TunerHandle advisor = advisors.contains(experiment) ? tuners.get(experiment) : null;
    if (dispatchers.hasGuest(experiment)) {
      advisor = tuners.get(experiment);
      assessor = null;
    }
    if (assessor == null && advisor == null) {
      return notOpen(experiment, "assessor");
    }
    AssessorHandle own = assessor;
    TunerHandle judge = advisor;
    return curves
        .of(question.attempt().trial())
        .compose(points -> {
          if (points.isEmpty() || !points.getLast().attempt().equals(question.attempt())) {
            return Future.succeededFuture(new Assessed(null));
          }
          return own == null
              ? Objects.requireNonNull(judge).assess(question, points)
              : own.assess(question, points);
        });
  }

  /** Another algorithm searches for an experiment from now on; false when there is none. */
  private boolean renew(ExperimentId experiment) {
    TunerHandle tuner = tuners.get(experiment);
    if (tuner != null) {
      tuner.renew();
    }
    return tuner != null;
  }

  private Future<Told> forget(ExperimentId experiment) {
    close(experiment);
    dispatchers.dismiss(experiment);
    return Future.succeededFuture(new Told());
  }

  private void close(ExperimentId experiment) {
    places.close(experiment);
    TunerHandle tuner = tuners.remove(experiment);
    if (tuner != null) {
      tuner.close();
    }
    advisors.remove(experiment);
    AssessorHandle assessor = assessors.remove(experiment);
    if (assessor != null) {
      assessor.close();
    }
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
