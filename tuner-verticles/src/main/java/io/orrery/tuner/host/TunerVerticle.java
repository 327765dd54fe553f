package io.orrery.tuner.host;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Tuners;
import io.orrery.core.bus.contract.Tuners.Algorithm;
import io.orrery.core.bus.contract.Tuners.Assess;
import io.orrery.core.bus.contract.Tuners.Assessed;
import io.orrery.core.bus.contract.Tuners.Catalogue;
import io.orrery.core.bus.contract.Tuners.Check;
import io.orrery.core.bus.contract.Tuners.Checked;
import io.orrery.core.bus.contract.Tuners.Open;
import io.orrery.core.bus.contract.Tuners.Opened;
import io.orrery.core.bus.contract.Tuners.Registration;
import io.orrery.core.bus.contract.Tuners.Tell;
import io.orrery.core.bus.contract.Tuners.Told;
import io.orrery.core.experiment.AlgorithmSpec;
import io.orrery.core.experiment.ExperimentId;
import io.orrery.core.lease.Leases;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.orrery.tuner.dispatcher.Doorplate;
import io.orrery.tuner.dispatcher.Line;
import io.orrery.tuner.dispatcher.StockDispatcher;
import io.orrery.tuner.host.Catalog.ChosenAssessor;
import io.orrery.tuner.host.Catalog.ChosenTuner;
import io.orrery.tuner.python.Interpreter;
import io.orrery.tuner.python.PythonAlgorithm;
import io.orrery.tuner.python.UsersClass;
import io.orrery.tuner.search.Setting;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Answers the {@link Tuners} addresses. Holds one {@link TunerHandle} and perhaps an {@link
 * AssessorHandle} for each experiment that has opened a tuner, and nothing durable: whoever opens
 * again after a restart gets the same ones, by replay. To be deployed once.
 */
public final class TunerVerticle extends VerticleBase {
  private static final String TUNER = "tuner";
  private static final String ASSESSOR = "assessor";
  private static final String ADVISOR = "advisor";

  private final Bus bus;
  private final Catalog catalog;
  private final Clock clock;
  private final Workers workers;
  private final Interpreter python;
  private final StockDispatcher stock;
  private final DispatcherDesk dispatchers;
  private final Registry registry;
  private final Curves curves;
  private final Path experiments;
  private final Places places;
  private final ReadingRoom room = new ReadingRoom();
  private final Map<ExperimentId, TunerHandle> tuners = new HashMap<>();
  private final Map<ExperimentId, AssessorHandle> assessors = new HashMap<>();

  /** Experiments whose tuner judges their trials itself. */
  private final Set<ExperimentId> advisors = new HashSet<>();

  private AlgorithmThreads threads;
  private ImportanceDesk importance;

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
    this.catalog = catalog;
    this.clock = clock;
    this.workers = workers;
    this.python = python;
    this.stock = new StockDispatcher(python);
    this.dispatchers = new DispatcherDesk(bus, clock, doorplate, this::renew);
    this.curves = new Curves(bus);
    this.experiments = experiments;
    this.places = new Places(leases, clock, this::forget);
    this.registry = new Registry(experiments.resolveSibling("algorithms.json"), catalog);
  }

  @Override
  public Future<?> start() {
    threads = new AlgorithmThreads(vertx, clock, workers);
    importance = new ImportanceDesk(bus, room, vertx, clock);
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
                Tuners.CHECK, question -> vertx.executeBlocking(() -> check(question), false)),
            dispatchers.open(),
            bus.serve(Tuners.LIST, question -> Future.succeededFuture(list())),
            bus.serve(Tuners.REGISTER, wanted -> blocking(() -> registry.register(wanted))),
            bus.serve(Tuners.UNREGISTER, gone -> blocking(() -> registry.unregister(gone.name()))),
            bus.serve(Tuners.OPEN, this::open),
            bus.serve(Tuners.IMPORTANCE, question -> importance.of(question.experiment()))));
  }

  @Override
  public Future<?> stop() {
    tuners.values().forEach(TunerHandle::close);
    assessors.values().forEach(AssessorHandle::close);
    places.stop();
    threads.close();
    importance.close();
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

  /** What is built in, and behind it what users have registered. */
  private Catalogue list() {
    List<Algorithm> all = new ArrayList<>(catalog.list().algorithms());
    registry
        .all()
        .forEach(one ->
            all.add(
                new Algorithm(
                    one.name(),
                    List.of(),
                    one.kind(),
                    "A class of a user's own, which alone knows what it takes.",
                    Map.of(),
                    false,
                    List.of(),
                    one.className())));
    return new Catalogue(all);
  }

  private Checked check(Check question) throws InterruptedException {
    AlgorithmSpec algorithm = question.algorithm();
    boolean tuner = question.kind().equals(TUNER);
    if (tuner && algorithm.isStock()) {
      return new Checked(stock.check(algorithm), algorithm.label(), null);
    }
    Registration registered = registry.find(algorithm.name()).orElse(null);
    if (registered == null) {
      return catalog.check(question);
    }
    if (tuner == registered.kind().equals(ASSESSOR)) {
      String at = "/" + question.kind() + "/name";
      String why = "'" + registered.name() + "' is registered as " + registered.kind();
      return new Checked(List.of(new Finding(at, why)), null, null);
    }
    Checked checked =
        catalog.check(
            new Check(
                question.kind(),
                registry.resolve(algorithm),
                question.space(),
                question.objectives()));
    return new Checked(checked.findings(), registered.name(), null);
  }

  private Future<Opened> open(Open open) {
    if (places.isOutdated(open)) {
      throw new Problem.Conflict(
              "Another server has opened the tuner of experiment " + open.experiment() + ".")
          .toException();
    }
    Chosen<HostedTuner.Opening> tuner = tuner(open);
    boolean judgesItself = isAdvisor(open);
    Chosen<HostedAssessor.Opening> assessor = judgesItself ? null : assessor(open);
    close(open.experiment());
    openTuner(open, tuner);
    if (assessor != null) {
      openAssessor(open, assessor);
    }
    if (judgesItself) {
      advisors.add(open.experiment());
    }
    return places
        .open(
            open,
            List.of(
                bus.serve(
                    Tuners.ASK.of(open.place()),
                    ask -> tuner(ask.experiment(), found -> found.ask(ask))),
                bus.serve(Tuners.TELL.of(open.place()), this::tell),
                bus.serve(Tuners.ASSESS.of(open.place()), this::assess),
                bus.serve(Tuners.CLOSE.of(open.place()), gone -> forget(gone.experiment()))))
        .map(served -> new Opened(tuner.askAhead()));
  }

  /** An algorithm that may be made, and how. */
  private record Chosen<O>(String name, int askAhead, O opening) {}

  /** A guest goes before the tuner that was chosen. */
  private HostedTuner.Opening withGuests(Open open, HostedTuner.Opening chosen) {
    return resumed -> {
      GuestTuner guest = dispatchers.guest(open.experiment(), open.space());
      return guest == null ? chosen.open(resumed) : guest;
    };
  }

  private Chosen<HostedTuner.Opening> tuner(Open open) {
    AlgorithmSpec spec = open.algorithm();
    if (spec.isStock()) {
      return new Chosen<>(spec.label(), 0, resumed -> dispatched(spec, open, resumed));
    }
    UsersClass users = usersClass(spec, isAdvisor(open) ? ADVISOR : TUNER);
    if (users == null) {
      ChosenTuner chosen = catalog.chooseTuner(spec, open.space(), open.objectives().all().size());
      Setting setting =
          new Setting(
              open.space(),
              chosen.arguments(),
              open.objectives(),
              open.seed(),
              experiments.resolve(open.experiment().value()).toString());
      return new Chosen<>(
          chosen.factory().description().name(),
          chosen.factory().description().askAhead(),
          resumed -> new BuiltInTuner(chosen.factory().open(setting), open.objectives()));
    }
    return new Chosen<>(
        spec.label(),
        0,
        resumed ->
            users.role().equals(ADVISOR) && stock.isInstalled()
                ? dispatched(users.spec(), open, resumed)
                : new CustomTuner(new PythonTuner(process(users, open, resumed)), open.space()));
  }

  /** In NNI's own dispatcher: where NNI is installed, an advisor opens a connection by itself. */
  private HostedTuner dispatched(AlgorithmSpec spec, Open open, boolean resumed)
      throws InterruptedException {
    Line line =
        stock.open(
            spec, open.objectives().direction(), open.experiment(), resumed, dispatchers::expect);
    return new CustomTuner(DispatchedAlgorithm.greet(line, open.space()), open.space());
  }

  private @Nullable Chosen<HostedAssessor.Opening> assessor(Open open) {
    AlgorithmSpec spec = open.assessor();
    if (spec == null) {
      return null;
    }
    UsersClass users = usersClass(spec, ASSESSOR);
    if (users == null) {
      ChosenAssessor chosen = catalog.chooseAssessor(spec);
      return new Chosen<>(
          chosen.factory().description().name(),
          0,
          resumed -> new BuiltInAssessor(chosen.open(open.objectives().direction())));
    }
    return new Chosen<>(
        spec.label(), 0, resumed -> new CustomAssessor(process(users, open, resumed)));
  }

  /** The class that is meant; null when it is a built-in algorithm. */
  private @Nullable UsersClass usersClass(AlgorithmSpec spec, String role) {
    if (spec.className() != null) {
      return new UsersClass(role, spec);
    }
    return registry
        .find(spec.name())
        .map(found -> new UsersClass(found.kind(), registry.resolve(spec)))
        .orElse(null);
  }

  private PythonAlgorithm process(UsersClass users, Open open, boolean resumed)
      throws InterruptedException {
    return users.open(python, open.experiment(), open.space(), resumed);
  }

  private static boolean isAdvisor(Open open) {
    return open.algorithm().className() != null && open.algorithm().equals(open.assessor());
  }

  private void openTuner(Open open, Chosen<HostedTuner.Opening> chosen) {
    TunerHandle tuner =
        new TunerHandle(
            chosen.name(),
            open.experiment(),
            new Replay(
                new Past(bus, room, open.experiment()),
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
                new Past(bus, room, open.experiment()),
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

  /** Somebody else searches for an experiment from now on; false when nobody does. */
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
