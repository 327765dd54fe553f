package io.orrery.tuner.host;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Tuners;
import io.orrery.core.bus.contract.Tuners.Check;
import io.orrery.core.bus.contract.Tuners.Checked;
import io.orrery.core.bus.contract.Tuners.Open;
import io.orrery.core.bus.contract.Tuners.Opened;
import io.orrery.core.bus.contract.Tuners.Told;
import io.orrery.core.experiment.ExperimentId;
import io.orrery.core.problem.Problem;
import io.orrery.tuner.search.Arguments;
import io.orrery.tuner.search.Setting;
import io.orrery.tuner.search.TunerFactory;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.WorkerExecutor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Answers the {@link Tuners} addresses. Holds one {@link TunerHandle} for each experiment that has
 * opened a tuner, and nothing durable: whoever opens again after a restart gets the same tuner, by
 * replay. To be deployed once.
 */
public final class TunerVerticle extends VerticleBase {
  private static final String POOL = "orrery-tuner";

  private final Bus bus;
  private final Catalog catalog;
  private final Workers workers;
  private final Map<ExperimentId, TunerHandle> handles = new HashMap<>();
  private WorkerExecutor pool;

  @SuppressWarnings("NullAway.Init") // start() makes the pool before anything is served
  public TunerVerticle(Bus bus, Catalog catalog, Workers workers) {
    this.bus = bus;
    this.catalog = catalog;
    this.workers = workers;
  }

  @Override
  public Future<?> start() {
    pool = vertx.createSharedWorkerExecutor(POOL, workers.threads());
    return Future.all(
        List.of(
            bus.serve(Tuners.CHECK, question -> Future.succeededFuture(catalog.check(question))),
            bus.serve(Tuners.LIST, question -> Future.succeededFuture(catalog.list())),
            bus.serve(Tuners.OPEN, this::open),
            bus.serve(Tuners.ASK, question -> with(question.experiment(), h -> h.ask(question))),
            bus.serve(Tuners.TELL, question -> with(question.experiment(), h -> h.tell(question))),
            bus.serve(Tuners.CLOSE, question -> close(question.experiment()))));
  }

  @Override
  public Future<?> stop() {
    handles.values().forEach(TunerHandle::close);
    return pool.close();
  }

  private Future<Opened> open(Open open) {
    Checked checked = catalog.check(new Check("tuner", open.algorithm(), open.space()));
    TunerFactory factory =
        checked.name() == null ? null : catalog.tuner(checked.name()).orElse(null);
    if (factory == null || !checked.findings().isEmpty()) {
      return Future.failedFuture(Problem.Refused.of(checked.findings()).toException());
    }
    Arguments arguments =
        Catalog.arguments("tuner", open.algorithm(), factory.description(), new ArrayList<>());
    Setting setting = new Setting(open.space(), arguments, open.direction(), open.seed());
    Replay replay = new Replay(bus, pool, open.experiment(), factory, setting);
    TunerHandle handle = new TunerHandle(replay, pool, workers.queue(), open.throughOrdinal());
    TunerHandle before = handles.put(open.experiment(), handle);
    if (before != null) {
      before.close();
    }
    handle.prepare();
    return Future.succeededFuture(new Opened(factory.description().askAhead()));
  }

  private Future<Told> close(ExperimentId experiment) {
    TunerHandle handle = handles.remove(experiment);
    if (handle != null) {
      handle.close();
    }
    return Future.succeededFuture(new Told());
  }

  private <A> Future<A> with(ExperimentId experiment, Function<TunerHandle, Future<A>> question) {
    TunerHandle handle = handles.get(experiment);
    return handle == null
        ? Future.failedFuture(
            new Problem.NotFound("experiment " + experiment + " has no open tuner").toException())
        : question.apply(handle);
  }
}
