package io.orrery.orchestrator.platform.kubernetes;

import static io.orrery.orchestrator.platform.Background.await;
import static io.orrery.orchestrator.platform.Background.patiently;

import io.orrery.core.experiment.ExperimentId;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.orchestrator.platform.JobFiles;
import io.orrery.orchestrator.platform.Keepers;
import java.nio.file.Path;
import java.util.List;

/** Makes ready what all trials of an experiment share: code, objects of the cluster, storage. */
final class Preparations {
  private static final int FIRST_TRIES = 3;

  private final String platform;
  private final JobService.Blueprints blueprints;
  private final Keepers keepers;
  private final Sites sites;
  private final StorageDesk storages;
  private final JobFiles files;

  Preparations(
      String platform,
      JobService.Blueprints blueprints,
      Keepers keepers,
      Sites sites,
      StorageDesk storages,
      JobFiles files) {
    this.platform = platform;
    this.blueprints = blueprints;
    this.keepers = keepers;
    this.sites = sites;
    this.storages = storages;
    this.files = files;
  }

  /** Does nothing the second time but look whether it still holds. Blocks. */
  void prepare(ExperimentId experiment, ExperimentSpec spec) throws Exception {
    // An experiment that was going on must not end because its cluster is away just now.
    int tries = files.prepared(experiment) == null ? FIRST_TRIES : Integer.MAX_VALUE;
    Blueprint blueprint = patiently(tries, () -> blueprints.of(spec, sites));
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
      await(keepers.pack(experiment, code));
    }
    patiently(tries, () -> sites.of(blueprint).jobs(blueprint.kind()));
    patiently(
        tries,
        () -> {
          Cluster cluster = sites.of(blueprint).cluster();
          blueprint.kind().shared(experiment).stream()
              .map(object -> Manifests.shared(platform, experiment, object))
              .forEach(object -> cluster.apply(Manifests.type(object), object));
          return null;
        });
    Storage storage = blueprint.storage();
    Storage.Vaulted share = storage == null ? null : storage.vaulted();
    if (share != null) {
      patiently(
          Math.max(tries, share.tries()),
          () -> {
            storages.prepare(share, experiment, platform, sites.of(blueprint).cluster());
            return null;
          });
    }
    files.prepared(experiment, spec);
  }
}
