package io.orrery.orchestrator.workload;

import io.orrery.compute.secret.ProjectSecrets;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Workloads.Want;
import io.orrery.core.time.Clock;
import io.orrery.core.workload.ModelFiles;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.core.workload.WorkloadSpec;
import io.orrery.orchestrator.bundle.BundleFolder;
import io.orrery.orchestrator.bundle.FetchedFiles;
import io.orrery.orchestrator.bundle.ModelFolder;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts the code and the model of a workload on this machine before it runs. */
final class PlacedFiles {
  private static final Logger LOG = LoggerFactory.getLogger(PlacedFiles.class);
  private static final Duration SWEEP = Duration.ofMinutes(10);

  /** The pause before files that could not be fetched are asked for again. */
  private static final Duration AGAIN = Duration.ofSeconds(30);

  private final BundleFolder bundles;
  private final ModelFolder models;
  private final WorkloadTokens tokens;
  private final ProjectSecrets secrets;
  private final Clock clock;
  private final Map<WorkloadRef, OwnedWorkload> all;
  private final Consumer<WorkloadRef> ready;

  /** The workloads whose files are being fetched, or are to be again after a pause. */
  private final Set<WorkloadRef> fetching = new HashSet<>();

  private final Map<WorkloadRef, Clock.Timer> pauses = new HashMap<>();
  private Clock.@Nullable Timer timer;
  private boolean closed;

  /**
   * @param all the workloads, as their owner changes them
   * @param ready is told of a workload whose files are there now
   */
  PlacedFiles(
      BundleFolder bundles,
      ModelFolder models,
      WorkloadTokens tokens,
      ProjectSecrets secrets,
      Clock clock,
      Map<WorkloadRef, OwnedWorkload> all,
      Consumer<WorkloadRef> ready) {
    this.bundles = bundles;
    this.models = models;
    this.tokens = tokens;
    this.secrets = secrets;
    this.clock = clock;
    this.all = all;
    this.ready = ready;
  }

  /**
   * A specification with its token, and the directories of its code and its model.
   *
   * @param complete whether all of its files are there
   */
  record Placed(WorkloadSpec spec, boolean complete) {}

  /** Gives pods the files that they fetch. */
  Future<?> serve(Vertx vertx, Bus bus) {
    return new FetchedFiles(vertx, bundles, models).serve(bus);
  }

  /**
   * The specification of a workload. Its model is not fetched: that may last.
   *
   * @return fails when its code is not there
   */
  Future<Placed> spec(Want want) {
    String code = want.code();
    Future<WorkloadSpec> filled =
        secrets
            .fill(want.project(), tokens.fill(want, want.spec()).environment())
            .map(environment -> want.spec().with(environment).pulledFor(want.project()));
    Future<WorkloadSpec> coded =
        code == null
            ? filled
            : filled.compose(spec ->
                bundles
                    .unpacked(code)
                    .map(directory -> spec.withCode(code).in(directory.toString())));
    ModelFiles model = want.spec().model();
    if (model == null) {
      return coded.map(spec -> new Placed(spec, true));
    }
    return coded.compose(spec ->
        models
            .isPlaced(model)
            .map(there -> new Placed(spec.withModelIn(models.place(model).toString()), there)));
  }

  /**
   * The same at a start of the server; with a directory that does not exist when code is lost or
   * cannot be read now.
   */
  Future<Placed> specOrNone(Want want) {
    return spec(want)
        .recover(failure -> {
          LOG.warn("could not place files of {}: {}", want.workload(), failure.getMessage());
          return Future.succeededFuture(
              new Placed(
                  want.spec()
                      .in("/missing/" + Objects.toString(want.code(), "model"))
                      .pulledFor(want.project()),
                  false));
        });
  }

  /**
   * Puts all files of a workload there in the background, again and again until they are. Its state
   * says meanwhile why it does not start.
   */
  void fetch(WorkloadRef workload) {
    Clock.Timer pause = pauses.remove(workload);
    if (pause != null) {
      // Other files may be wanted by now, so what failed before says nothing.
      pause.cancel();
      fetchNow(workload);
    } else if (fetching.add(workload)) {
      fetchNow(workload);
    }
  }

  private void fetchNow(WorkloadRef workload) {
    OwnedWorkload owned = closed ? null : owned(workload);
    if (owned == null) {
      fetching.remove(workload);
      return;
    }
    Want want = owned.want();
    ModelFiles model = want.spec().model();
    if (model != null) {
      owned.await("its model is being fetched", false);
    }
    Future<?> modelThere =
        model == null ? Future.succeededFuture() : models.placed(model).mapEmpty();
    modelThere
        .compose(there -> spec(want))
        .onSuccess(placed -> {
          fetching.remove(workload);
          OwnedWorkload now = owned(workload);
          if (now != null && !closed) {
            now.await(null, false);
            // It may be wanted with other files by now.
            ready.accept(workload);
          }
        })
        .onFailure(failure -> {
          LOG.warn("could not fetch files of {}: {}", workload, failure.getMessage());
          OwnedWorkload now = owned(workload);
          if (now != null) {
            now.await(failure.getMessage() + "; tried again in " + AGAIN.toSeconds() + " s", true);
          }
          pauses.put(
              workload,
              clock.after(
                  AGAIN,
                  () -> {
                    pauses.remove(workload);
                    fetchNow(workload);
                  }));
        });
  }

  private @Nullable OwnedWorkload owned(WorkloadRef workload) {
    OwnedWorkload known = all.get(workload);
    return known == null || known.isRemoved() ? null : known;
  }

  /** Begins to delete models that are not used any more, from time to time. */
  void open() {
    Set<String> used =
        all.values().stream()
            .flatMap(workload -> workload.models().stream())
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
    pauses.values().forEach(Clock.Timer::cancel);
    if (timer != null) {
      timer.cancel();
    }
  }
}
