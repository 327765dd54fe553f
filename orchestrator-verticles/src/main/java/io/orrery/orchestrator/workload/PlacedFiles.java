package io.orrery.orchestrator.workload;

import io.orrery.core.bus.contract.Workloads.Want;
import io.orrery.core.time.Clock;
import io.orrery.core.workload.ModelFiles;
import io.orrery.core.workload.WorkloadSpec;
import io.orrery.orchestrator.bundle.BundleFolder;
import io.orrery.orchestrator.bundle.ModelFolder;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Collection;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts the code and the model of a workload on this machine before it runs. */
final class PlacedFiles {
  private static final Logger LOG = LoggerFactory.getLogger(PlacedFiles.class);
  private static final Duration SWEEP = Duration.ofMinutes(10);

  private final BundleFolder bundles;
  private final ModelFolder models;
  private final WorkloadTokens tokens;
  private final Clock clock;
  private final Supplier<Collection<OwnedWorkload>> all;
  private Clock.@Nullable Timer timer;
  private boolean closed;

  PlacedFiles(
      BundleFolder bundles,
      ModelFolder models,
      WorkloadTokens tokens,
      Clock clock,
      Supplier<Collection<OwnedWorkload>> all) {
    this.bundles = bundles;
    this.models = models;
    this.tokens = tokens;
    this.clock = clock;
    this.all = all;
  }

  /** The specification with its token, and the directories that its code and its model lie in. */
  Future<WorkloadSpec> spec(Want want) {
    String code = want.code();
    WorkloadSpec filled = tokens.fill(want, want.spec());
    Future<WorkloadSpec> coded =
        code == null
            ? Future.succeededFuture(filled)
            : bundles.unpacked(code).map(directory -> filled.in(directory.toString()));
    ModelFiles model = want.spec().model();
    return model == null
        ? coded
        : coded.compose(
            spec -> models.placed(model).map(place -> spec.withModelIn(place.toString())));
  }

  /**
   * The same at a start of the server; with a directory that does not exist when files are lost.
   */
  Future<WorkloadSpec> specOrNone(Want want) {
    return spec(want)
        .recover(failure -> {
          LOG.warn("could not place files of {}: {}", want.workload(), failure.getMessage());
          return Future.succeededFuture(
              want.spec().in("/missing/" + Objects.toString(want.code(), "model")));
        });
  }

  /** Begins to delete models that are not used any more, from time to time. */
  void open() {
    Set<String> used =
        all.get().stream()
            .map(workload -> workload.want().spec().model())
            .filter(Objects::nonNull)
            .map(ModelFiles::digest)
            .collect(Collectors.toSet());
    models
        .sweep(used, clock.now())
        .onFailure(failure -> LOG.warn("could not delete unused models: {}", failure.getMessage()));
    timer =
        clock.after(
            SWEEP,
            () -> {
              if (!closed) {
                open();
              }
            });
  }

  void close() {
    closed = true;
    if (timer != null) {
      timer.cancel();
    }
  }
}
