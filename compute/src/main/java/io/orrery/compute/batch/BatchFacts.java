package io.orrery.compute.batch;

import io.orrery.compute.attempt.KeeperFacts;
import io.orrery.compute.batch.JobApi.JobRef;
import io.orrery.compute.batch.JobView.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The facts that are known of an attempt at one time.
 *
 * @param keeper what its keepers said, and whether it was canceled
 * @param jobs what its service has shown
 */
record BatchFacts(KeeperFacts keeper, Jobs jobs) {
  /**
   * The jobs of an attempt's name, as their service was seen to have them.
   *
   * @param name of all of them
   * @param id of the one that counts; null while that is unknown
   * @param all more than one where a request for it came through twice
   * @param view the one that counts; null when there is none
   * @param missingSince since when the service has none; null when it has one, or was not asked
   * @param blindness null when the service has answered last
   */
  record Jobs(
      String name,
      @Nullable String id,
      List<JobView> all,
      @Nullable JobView view,
      @Nullable Instant missingSince,
      @Nullable Blindness blindness) {
    Jobs {
      all = List.copyOf(all);
    }

    static Jobs unseen(String name) {
      return new Jobs(name, null, List.of(), null, null, null);
    }

    Jobs launched(@Nullable String knownId) {
      return new Jobs(name, knownId, all, view, missingSince, blindness);
    }

    /** The service was asked. */
    Jobs seen(List<JobView> found, Instant now) {
      JobView job = JobView.speaker(found, id);
      return job == null
          ? new Jobs(name, id, found, null, Objects.requireNonNullElse(missingSince, now), null)
          : new Jobs(name, job.id(), found, job, null, null);
    }

    /**
     * The service was asked, and its jobs could not be seen.
     *
     * @param refused whether it refuses this server's account, or has lost the jobs' workspace
     */
    Jobs unseen(String why, boolean refused, Instant now) {
      Instant since = blindness == null ? now : blindness.since();
      Instant before = blindness == null ? null : blindness.refusedSince();
      Instant refusedSince = refused ? Objects.requireNonNullElse(before, now) : null;
      return new Jobs(name, id, all, view, missingSince, new Blindness(since, why, refusedSince));
    }

    JobRef ref() {
      return new JobRef(name, id);
    }

    /** The jobs that are to be stopped so that all ends; the one by its name while none is seen. */
    List<JobRef> unfinished() {
      return all.isEmpty() ? List.of(ref()) : refs(phase -> !phase.isFinal());
    }

    List<JobRef> refs(Predicate<Phase> which) {
      return all.stream()
          .filter(job -> which.test(job.phase()))
          .map(job -> new JobRef(name, job.id()))
          .toList();
    }

    boolean isAny(Predicate<Phase> which) {
      return all.stream().map(JobView::phase).anyMatch(which);
    }

    boolean isBlindFor(Duration patience, Instant now) {
      return blindness != null && KeeperFacts.past(blindness.since(), patience, now);
    }

    boolean isRefused() {
      return blindness != null && blindness.refusedSince() != null;
    }

    boolean isRefusedFor(Duration patience, Instant now) {
      return blindness != null && KeeperFacts.past(blindness.refusedSince(), patience, now);
    }
  }

  /**
   * The time in which the jobs cannot be seen.
   *
   * @param why the service's words
   * @param refusedSince since when it refuses this server's account, or has lost the jobs'
   *     workspace; null when it does not
   */
  record Blindness(Instant since, String why, @Nullable Instant refusedSince) {}
}
