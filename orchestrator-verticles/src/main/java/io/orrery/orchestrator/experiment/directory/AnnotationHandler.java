package io.orrery.orchestrator.experiment.directory;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Annotations;
import io.orrery.core.bus.contract.Annotations.Annotation;
import io.orrery.core.bus.contract.Annotations.Of;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.experiment.ExperimentEvent;
import io.orrery.core.sql.Store;
import io.orrery.core.time.Clock;
import io.orrery.orchestrator.experiment.store.AnnotationTable;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Function;

/**
 * Answers what is asked about notes and tags. They say nothing of how an experiment goes on, so
 * they are read and written here and not by its owner.
 */
final class AnnotationHandler {
  private final Bus bus;
  private final Store store;
  private final Clock clock;
  private final AnnotationTable annotations;
  private final Function<Of, Future<?>> exists;

  /**
   * @param exists fails with NotFound when there is no such experiment, or no such trial
   */
  AnnotationHandler(Bus bus, Store store, Clock clock, Function<Of, Future<?>> exists) {
    this.bus = bus;
    this.store = store;
    this.clock = clock;
    this.annotations = new AnnotationTable(store);
    this.exists = exists;
  }

  Future<?> serve() {
    return Future.all(
        List.of(
            bus.serve(
                Annotations.GET, of -> exists.apply(of).compose(known -> annotations.find(of))),
            bus.serve(Annotations.CHANGE, this::change),
            bus.serve(
                Annotations.OF_EXPERIMENTS, of -> annotations.ofExperiments(of.experiments())),
            bus.serve(
                Annotations.OF_TRIALS, of -> annotations.ofTrials(of.experiment(), of.trials())),
            bus.serve(
                Annotations.SEVERAL, of -> annotations.several(of.experiment(), of.trials()))));
  }

  private Future<Annotation> change(Annotations.Change change) {
    Instant now = clock.now().truncatedTo(ChronoUnit.MILLIS);
    return exists
        .apply(change.of())
        .compose(known -> store.write(AnnotationTable.change(change, now)))
        .compose(durable -> annotations.find(change.of()))
        .onSuccess(annotation -> tell(change.of(), annotation));
  }

  private void tell(Of of, Annotation annotation) {
    var news = new ExperimentEvent.Annotated(of.experiment(), of.trial(), annotation.tags());
    bus.publish(Experiments.EVENTS.of(of.experiment()), news);
    if (of.trial() == null) {
      bus.publish(Experiments.NEWS, news);
    }
  }
}
