package io.orrery.compute.kubernetes;

import io.orrery.core.experiment.JobSpec;
import io.orrery.core.id.ExperimentId;
import io.orrery.kubernetes.ServedVersions;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A cache of blueprints: the template of an experiment's jobs is read once, not for each attempt.
 */
final class KnownBlueprints {
  private final Blueprints blueprints;
  private final ServedVersions served;
  private final Map<ExperimentId, Known> all = new ConcurrentHashMap<>();

  private record Known(JobSpec job, Blueprint blueprint) {}

  KnownBlueprints(Blueprints blueprints, ServedVersions served) {
    this.blueprints = blueprints;
    this.served = served;
  }

  /** May ask the cluster. */
  Blueprint of(ExperimentId experiment, JobSpec job) {
    Known known = all.get(experiment);
    if (known == null || !known.job().equals(job)) {
      known = new Known(job, blueprints.of(job, served));
      all.put(experiment, known);
    }
    return known.blueprint();
  }

  void forget(ExperimentId experiment) {
    all.remove(experiment);
  }
}
