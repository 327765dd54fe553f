package io.orrery.compute.kubernetes;

import io.orrery.compute.attempt.Background;
import io.orrery.compute.attempt.JobFiles;
import io.orrery.compute.service.Keepers;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes ready what all trials of an experiment share: code, objects of the cluster, storage.
 * Nothing is waited for here: a cluster that is busy or away is a failure that passes.
 */
final class Preparations {
  private static final Duration SOON = Duration.ofSeconds(1);

  private final String platform;
  private final Blueprints blueprints;
  private final Keepers keepers;
  private final WatchedClusters sites;
  private final StorageProvisioner storages;
  private final JobFiles files;

  /** The preparations that are under way, and how the last ones ended. */
  private final Map<ExperimentId, CompletableFuture<@Nullable Void>> known =
      new ConcurrentHashMap<>();

  Preparations(
      String platform,
      Blueprints blueprints,
      Keepers keepers,
      WatchedClusters sites,
      StorageProvisioner storages,
      JobFiles files) {
    this.platform = platform;
    this.blueprints = blueprints;
    this.keepers = keepers;
    this.sites = sites;
    this.storages = storages;
    this.files = files;
  }

  /** Prepares an experiment; a second call only checks that all is still there. Blocks. */
  void prepare(ExperimentId experiment, JobSpec job) throws Exception {
    CompletableFuture<@Nullable Void> outcome = new CompletableFuture<>();
    known.put(experiment, outcome);
    try {
      makeReady(experiment, job);
      outcome.complete(null);
    } catch (Exception e) {
      outcome.completeExceptionally(e);
      throw e;
    }
  }

  /** Waits until an experiment is prepared; fails as that failed. */
  void await(ExperimentId experiment) throws Exception {
    CompletableFuture<@Nullable Void> outcome = known.get(experiment);
    if (outcome != null) {
      Background.await(outcome);
    } else if (files.prepared(experiment) != null) {
      known.putIfAbsent(experiment, CompletableFuture.completedFuture(null));
    } else {
      throw new Problem.Busy("the experiment is not prepared on " + platform + " yet", SOON)
          .toException();
    }
  }

  void forget(ExperimentId experiment) {
    known.remove(experiment);
  }

  private void makeReady(ExperimentId experiment, JobSpec job) throws Exception {
    Blueprint blueprint = blueprints.of(job, sites);
    for (Role role : blueprint.roles()) {
      String directory = role.codeDirectory();
      if (directory == null) {
        continue;
      }
      Path code = Path.of(directory);
      List<Finding> findings = keepers.check("/trialCodeDirectory", code);
      if (!findings.isEmpty()) {
        throw Problem.Refused.of(findings).toException();
      }
      Background.await(keepers.pack(experiment, code));
    }
    WatchedCluster site = sites.of(blueprint);
    site.jobs(blueprint.kind());
    blueprint.kind().shared(experiment).stream()
        .map(object -> Manifests.shared(platform, experiment, object))
        .forEach(object -> site.cluster().apply(Manifests.type(object), object));
    Storage storage = blueprint.storage();
    Storage.Vaulted share = storage == null ? null : storage.vaulted();
    if (share != null) {
      storages.grant(share, key(share, experiment), experiment, platform, site.cluster());
    }
    files.prepared(experiment, job);
  }

  /** Opens a share; refuses a new experiment once Azure was asked as often as its file allows. */
  private String key(Storage.Vaulted share, ExperimentId experiment) throws Exception {
    try {
      return storages.open(share);
    } catch (ProblemException e) {
      boolean enough =
          files.prepared(experiment) == null && !Thread.currentThread().isInterrupted();
      if (enough && e.problem() instanceof Problem.Busy busy) {
        throw new Problem.Refused(
                new Finding(
                    "/trainingService/storage/uploadRetryCount",
                    "Azure was asked %d times: %s".formatted(share.tries(), busy.detail())))
            .toException();
      }
      throw e;
    }
  }
}
