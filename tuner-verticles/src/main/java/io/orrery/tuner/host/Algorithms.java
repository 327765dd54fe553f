package io.orrery.tuner.host;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Tuners.Algorithm;
import io.orrery.core.bus.contract.Tuners.Catalogue;
import io.orrery.core.bus.contract.Tuners.Check;
import io.orrery.core.bus.contract.Tuners.Checked;
import io.orrery.core.bus.contract.Tuners.Open;
import io.orrery.core.bus.contract.Tuners.Registration;
import io.orrery.core.experiment.AlgorithmSpec;
import io.orrery.core.problem.Finding;
import io.orrery.tuner.dispatcher.DispatcherConnection;
import io.orrery.tuner.dispatcher.StockDispatcher;
import io.orrery.tuner.host.Catalog.ChosenAssessor;
import io.orrery.tuner.host.Catalog.ChosenTuner;
import io.orrery.tuner.python.Interpreter;
import io.orrery.tuner.python.PythonAlgorithm;
import io.orrery.tuner.python.UsersClass;
import io.orrery.tuner.search.Setting;
import io.orrery.tuner.search.auto.Auto;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A registry of everything that can search or assess here: what is built in, the classes of users'
 * own, by a name or without, and the algorithms of an NNI that is installed. Knows which one an
 * experiment means, and how it is made; holds none that is open.
 */
final class Algorithms {
  private static final String TUNER = "tuner";
  private static final String ASSESSOR = "assessor";
  private static final String ADVISOR = "advisor";

  private final Bus bus;
  private final Catalog catalog;
  private final Registry registry;
  private final Interpreter python;
  private final StockDispatcher stock;
  private final StockDispatcher.Reception reception;
  private final Path experiments;

  /**
   * An algorithm that may be made, and how.
   *
   * @param name as people know it
   * @param askAhead how many suggestions may be asked for before they are needed
   * @param <O> its kind of opening
   */
  record Chosen<O>(String name, int askAhead, O opening) {}

  /**
   * @param bus asks what earlier experiments left to learn from
   * @param python runs what users wrote themselves
   * @param reception where a dispatcher of NNI comes in
   * @param experiments below which each experiment has a directory of its own; not looked at here
   */
  Algorithms(
      Bus bus,
      Catalog catalog,
      Registry registry,
      Interpreter python,
      StockDispatcher.Reception reception,
      Path experiments) {
    this.bus = bus;
    this.catalog = catalog;
    this.registry = registry;
    this.python = python;
    this.stock = new StockDispatcher(python);
    this.reception = reception;
    this.experiments = experiments;
  }

  /** What is built in, and behind it what users have registered. */
  Catalogue list() {
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

  /** Checks an algorithm that a user would like to use. Blocks while Python starts. */
  Checked check(Check question) throws InterruptedException {
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

  /** Whether the tuner of an experiment judges its trials itself. */
  static boolean isAdvisor(Open open) {
    return open.algorithm().className() != null && open.algorithm().equals(open.assessor());
  }

  /**
   * The tuner that an experiment means.
   *
   * @throws io.orrery.core.problem.ProblemException Refused when there is no such tuner for it
   */
  Chosen<HostedTuner.Opening> tuner(Open open) {
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
      boolean learns = chosen.factory().equals(Auto.FACTORY) && !open.objectives().several();
      return new Chosen<>(
          chosen.factory().description().name(),
          chosen.factory().description().askAhead(),
          learns
              ? new LearningTuner(bus, chosen.factory(), setting, open)
              : resumed -> new BuiltInTuner(chosen.factory().open(setting), open.objectives()));
    }
    return new Chosen<>(
        spec.label(),
        0,
        resumed ->
            users.role().equals(ADVISOR) && stock.isInstalled()
                ? dispatched(users.spec(), open, resumed)
                : new CustomTuner(
                    new PythonTuner(process(users, open, resumed), users.spec().multiThread()),
                    open.space()));
  }

  /** In NNI's own dispatcher: where NNI is installed, an advisor opens a connection by itself. */
  private HostedTuner dispatched(AlgorithmSpec spec, Open open, boolean resumed)
      throws InterruptedException {
    DispatcherConnection line =
        stock.open(spec, open.objectives().direction(), open.experiment(), resumed, reception);
    return new CustomTuner(DispatchedAlgorithm.greet(line, open.space()), open.space());
  }

  /**
   * The assessor that an experiment means; null when it has none.
   *
   * @throws io.orrery.core.problem.ProblemException Refused when there is no such assessor
   */
  @Nullable Chosen<HostedAssessor.Opening> assessor(Open open) {
    AlgorithmSpec spec = open.assessor();
    if (spec == null || isAdvisor(open)) {
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
}
