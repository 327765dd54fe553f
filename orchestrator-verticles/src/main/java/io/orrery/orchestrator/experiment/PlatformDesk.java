package io.orrery.orchestrator.experiment;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.bus.contract.TrainingServices;
import io.orrery.orchestrator.platform.Platforms;
import io.orrery.orchestrator.spec.PlatformOptions;
import io.vertx.core.Future;

/**
 * Where platforms are asked about: which there are, and whether a configuration reaches its own.
 */
final class PlatformDesk {
  private final Bus bus;
  private final Platforms platforms;
  private final Creation creation;

  /**
   * @param creation reads configurations, as for experiments that take place
   */
  PlatformDesk(Bus bus, Platforms platforms, Creation creation) {
    this.bus = bus;
    this.platforms = platforms;
    this.creation = creation;
  }

  Future<?> serve() {
    return Future.all(
        bus.serve(TrainingServices.LIST, all -> Future.succeededFuture(catalogue())),
        bus.serve(TrainingServices.CHECK, this::check));
  }

  private TrainingServices.Catalogue catalogue() {
    return new TrainingServices.Catalogue(
        platforms.names().stream()
            .map(name ->
                new TrainingServices.Platform(
                    name, platforms.summary(name), PlatformOptions.of(name)))
            .toList());
  }

  private Future<TrainingServices.Checked> check(TrainingServices.Check wanted) {
    return creation
        .read(new Experiments.Create(wanted.text(), wanted.base(), true, null))
        .compose(read -> {
          String platform = read.spec().trainingService().platform();
          return platforms
              .service(platform)
              .compose(service -> service.check(read.spec()))
              .map(items -> new TrainingServices.Checked(platform, items, read.notices()));
        });
  }
}
