package io.orrery.compute.kubernetes;

import io.orrery.core.experiment.JobSpec;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.kubernetes.ApiFailure;
import io.orrery.kubernetes.Cluster;
import io.orrery.kubernetes.ResourceType;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes the objects of an experiment from its cluster, where its trials are over. Blocks. */
final class Leftovers {
  private static final Logger LOG = LoggerFactory.getLogger(Leftovers.class);

  private final String platform;
  private final Blueprints blueprints;
  private final WatchedClusters sites;

  Leftovers(String platform, Blueprints blueprints, WatchedClusters sites) {
    this.platform = platform;
    this.blueprints = blueprints;
    this.sites = sites;
  }

  /**
   * @throws ProblemException when they cannot be removed now
   */
  void remove(ExperimentId experiment, JobSpec job) {
    Blueprint blueprint = blueprints.of(job, sites);
    Map<String, String> ours = Labels.of(platform, experiment);
    Cluster cluster = sites.of(blueprint).cluster();
    types(blueprint).forEach(type -> cluster.deleteAll(type, ours));
  }

  /**
   * Removes them unless the cluster or the namespace is gone, or does not let us in.
   *
   * @return what may be left there, and how to remove it, in full sentences
   * @throws ProblemException when the cluster answers that it has no time now
   */
  List<String> removeIfPossible(ExperimentId experiment, JobSpec job) {
    try {
      remove(experiment, job);
      return List.of();
    } catch (ProblemException e) {
      if (!isInVain(e)) {
        throw e;
      }
      LOG.warn("could not remove the objects of {}: {}", experiment, e.problem().detail());
      return List.of(left(experiment, job, e.problem().detail()));
    }
  }

  /** Whether asking again helps only if rights are given, or the cluster comes back. */
  private static boolean isInVain(ProblemException e) {
    ApiFailure failure = ApiFailure.behind(e);
    if (failure != null) {
      return failure.isOfRightsOrNamespace();
    }
    return !Thread.currentThread().isInterrupted()
        && (e.problem() instanceof Problem.Busy || e.problem() instanceof Problem.Refused);
  }

  private String left(ExperimentId experiment, JobSpec job, String why) {
    // As if the cluster served whatever is asked for: it cannot be asked.
    Blueprint wished = blueprints.of(job, (cluster, type) -> List.of(type.version()));
    String namespace = wished.cluster().namespace();
    String types =
        types(wished)
            .map(type -> type.plural() + (type.group().isEmpty() ? "" : "." + type.group()))
            .collect(Collectors.joining(","));
    return ("Objects of the experiment may be left in its cluster, which cannot be asked to remove"
            + " them (%s). This removes them: kubectl delete %s%s -l %s=%s")
        .formatted(
            why,
            types,
            namespace == null ? "" : " -n " + namespace,
            Labels.EXPERIMENT,
            Labels.value(experiment.value()));
  }

  /** The types of all objects that an experiment has: jobs first, which own what is left. */
  private static Stream<ResourceType> types(Blueprint blueprint) {
    return Stream.of(
            Stream.of(blueprint.kind().resource()),
            blueprint.kind().companionTypes().stream(),
            Stream.of(ResourceType.SECRET, ResourceType.POD))
        .flatMap(types -> types);
  }
}
