package io.orrery.tuner.host;

import io.orrery.core.bus.Bus.Subscription;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.bus.contract.Simulations;
import io.orrery.core.bus.contract.Tuners;
import io.orrery.core.bus.contract.Tuners.Open;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.lease.Leases;
import io.orrery.core.time.Clock;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The places at which the open tuners of this process are asked: one place at a time for each
 * experiment. A tuner whose owner lost the lease, or opened another one meanwhile, is closed; that
 * is detected by comparing the leases. That of a rehearsal has no lease, and is found by its age.
 *
 * <p>All on the verticle's context.
 */
final class TunerPlaces {
  private static final Logger LOG = LoggerFactory.getLogger(TunerPlaces.class);
  private static final Duration LOOK = Duration.ofSeconds(20);

  private record Place(long epoch, Instant since, List<Future<Subscription>> served) {}

  private final Leases leases;
  private final Clock clock;
  private final Consumer<ExperimentId> forget;
  private final Map<ExperimentId, Place> open = new HashMap<>();
  private Clock.@Nullable Timer look;

  /**
   * @param forget told of tuners that are not needed any more
   */
  TunerPlaces(Leases leases, Clock clock, Consumer<ExperimentId> forget) {
    this.leases = leases;
    this.clock = clock;
    this.forget = forget;
  }

  /** Whether a request to open comes from a server that is not the experiment's owner any more. */
  boolean isOutdated(Open wanted) {
    Place present = open.get(wanted.experiment());
    return present != null && present.epoch() > wanted.epoch();
  }

  /** Completes when the tuner can be reached. */
  Future<?> open(Open opened, List<Future<Subscription>> served) {
    open.put(opened.experiment(), new Place(opened.epoch(), clock.now(), served));
    return Future.all(served);
  }

  /** Nothing reaches the tuner of an experiment from now on. */
  void close(ExperimentId experiment) {
    Place gone = open.remove(experiment);
    if (gone != null) {
      gone.served()
          .forEach(serving ->
              serving
                  .compose(Subscription::cancel)
                  .onFailure(e -> LOG.debug("{} is still served: {}", experiment, e.getMessage())));
    }
  }

  /** Looks for tuners without an owner, where servers share their work. */
  void watch() {
    if (leases.shared()) {
      look = clock.after(LOOK, this::look);
    }
  }

  void stop() {
    if (look != null) {
      look.cancel();
    }
  }

  private void look() {
    Instant longAgo = clock.now().minus(Simulations.LONGEST.multipliedBy(2));
    Map.copyOf(open)
        .forEach((experiment, place) -> {
          if (place.epoch() == Tuners.NO_LEASE && place.since().isBefore(longAgo)) {
            LOG.info("the rehearsal {} is long over, and so is its tuner here", experiment);
            forget.accept(experiment);
          }
        });
    Map<ExperimentId, Place> before =
        open.entrySet().stream()
            .filter(one -> one.getValue().epoch() != Tuners.NO_LEASE)
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    Future<?> looked =
        before.isEmpty()
            ? Future.succeededFuture()
            : leases.held().map(held -> sweep(before, held));
    looked
        .onFailure(e -> LOG.warn("could not look for tuners without an owner", e))
        .onComplete(done -> watch());
  }

  private int sweep(Map<ExperimentId, Place> before, List<Leases.Holder> held) {
    Map<String, Long> epochs =
        held.stream().collect(Collectors.toMap(Leases.Holder::name, Leases.Holder::epoch));
    before.forEach((experiment, place) -> {
      Long epoch = epochs.get(Experiments.lease(experiment));
      if (place.equals(open.get(experiment)) && (epoch == null || epoch != place.epoch())) {
        LOG.info("the owner of experiment {} has gone, and so does its tuner here", experiment);
        forget.accept(experiment);
      }
    });
    return before.size();
  }
}
