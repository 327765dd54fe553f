package io.orrery.gateway.annotation;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Annotations;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.problem.Problem;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A lookup of the tags that are shown with experiments and trials. It never fails: when tags cannot
 * be read now, for example because the server that has them was killed, the rest is shown without
 * them.
 */
public final class TagLookup {
  private static final Logger LOG = LoggerFactory.getLogger(TagLookup.class);

  private final Bus bus;

  public TagLookup(Bus bus) {
    this.bus = bus;
  }

  /** The tags of some experiments; empty when they cannot be read now. */
  public Future<Optional<Annotations.Tags>> of(List<ExperimentId> experiments) {
    return unlessUnreadable(
        bus.request(Annotations.OF_EXPERIMENTS, new Annotations.OfExperiments(experiments)));
  }

  /** The tags of some trials of an experiment; empty when they cannot be read now. */
  public Future<Optional<Annotations.Tags>> of(ExperimentId experiment, List<TrialId> trials) {
    return unlessUnreadable(
        bus.request(Annotations.OF_TRIALS, new Annotations.OfTrials(experiment, trials)));
  }

  private static Future<Optional<Annotations.Tags>> unlessUnreadable(
      Future<Annotations.Tags> asked) {
    return asked
        .map(Optional::of)
        .otherwise(failure -> {
          LOG.warn("could not read tags: {}", Problem.of(failure).detail());
          return Optional.empty();
        });
  }
}
