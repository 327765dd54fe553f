package io.orrery.orchestrator.experiment.directory;

import io.orrery.compute.catalog.Platforms;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.bus.contract.TrainingServices;
import io.orrery.core.bus.contract.TrainingServices.Option;
import io.orrery.core.experiment.JobSpec;
import io.orrery.orchestrator.spec.PlatformOptions;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Answers requests about platforms: the list, and the check of a configuration. */
final class TrainingServiceCatalogue {
  private final Bus bus;
  private final Platforms platforms;
  private final Creation creation;

  /**
   * @param creation reads configurations, as for experiments that take place
   */
  TrainingServiceCatalogue(Bus bus, Platforms platforms, Creation creation) {
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
    Map<String, List<Option>> brought = platforms.options();
    return new TrainingServices.Catalogue(
        platforms.names().stream()
            .map(name ->
                new TrainingServices.Platform(
                    name,
                    platforms.summary(name),
                    platforms.jar(name),
                    PlatformOptions.of(name, brought.getOrDefault(name, List.of()))))
            .toList(),
        platforms.faults());
  }

  private Future<TrainingServices.Checked> check(TrainingServices.Check wanted) {
    return creation
        .read(
            Experiments.Create.check(
                wanted.text(), wanted.base(), wanted.ownership(), wanted.serverFiles()))
        .compose(read -> {
          JobSpec job = read.spec().job();
          String platform = job.trainingService().platform();
          return platforms
              .service(platform)
              .compose(service -> service.check(job, read.spec().limits().slots()))
              .compose(items ->
                  platforms
                      .storage(job)
                      .map(storage ->
                          new TrainingServices.Checked(
                              platform,
                              Stream.concat(items.stream(), storage.stream()).toList(),
                              read.notices())));
        });
  }
}
