package io.orrery.compute.kubernetes;

import io.orrery.core.problem.ProblemException;
import io.orrery.kubernetes.ApiFailure;
import io.orrery.kubernetes.ResourceType;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The deletion of an attempt's job and pods by this server: when it was asked for, and whether the
 * cluster refuses it. What asks the API server blocks. Safe for use by several threads.
 */
final class Removal {
  private static final Logger LOG = LoggerFactory.getLogger(Removal.class);

  private final WatchedCluster site;
  private final ResourceType type;
  private final String name;

  private volatile boolean begun;
  private volatile @Nullable Instant deletedAt;
  private volatile @Nullable Instant refusedSince;
  private volatile String refusal = "";

  /**
   * @param type of the job
   * @param name of the job
   */
  Removal(WatchedCluster site, ResourceType type, String name) {
    this.site = site;
    this.type = type;
    this.name = name;
  }

  /** Whether the job is deleted from here, or is about to be: then its pods go because of that. */
  boolean isBegun() {
    return begun;
  }

  /** The deletion as far as it has come. */
  JobFacts.Deletion facts() {
    Instant refused = refusedSince;
    return new JobFacts.Deletion(deletedAt, refused, refused == null ? "" : refusal);
  }

  /**
   * Deletes the job.
   *
   * @throws ProblemException when the cluster refuses, or cannot be reached
   */
  void delete(Instant now) {
    begun = true;
    site.cluster().delete(type, name);
    deletedAt = Objects.requireNonNullElse(deletedAt, now);
    refusedSince = null;
  }

  /**
   * Deletes the job; a refusal for want of a right or of the namespace is noted instead of thrown.
   *
   * @throws ProblemException when the cluster fails otherwise, or cannot be reached
   */
  void tryDelete(Instant now) {
    try {
      delete(now);
    } catch (ProblemException e) {
      ApiFailure failure = ApiFailure.behind(e);
      if (failure == null || !failure.isOfRightsOrNamespace()) {
        throw e;
      }
      if (refusedSince == null) {
        refusedSince = now;
        LOG.info("could not delete the {} {}: {}", type.kind(), name, e.problem().detail());
      }
      refusal = e.problem().detail();
    }
  }

  /** Deletes the pods of the job, which a garbage collector may not do in time. */
  void deletePods() {
    site.cluster().deleteAll(ResourceType.POD, Map.of(Labels.JOB, name));
  }

  /** Whether all is gone; the watch may be behind, so the API server itself is asked. */
  boolean isDone() {
    return site.cluster().find(type, name) == null
        && site.podsNow(name).stream().allMatch(PodView::over);
  }
}
