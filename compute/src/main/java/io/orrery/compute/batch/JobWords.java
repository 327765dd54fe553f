package io.orrery.compute.batch;

import io.orrery.compute.batch.JobApi.JobRef;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Sentences for people about one job, with its state and its page at the service.
 *
 * @param service as people know it, with its address
 * @param name of the job
 * @param pages the page of a job; null when the service has none
 */
record JobWords(String service, String name, Function<JobRef, @Nullable String> pages) {

  /** Says that the job waits. */
  String waits(JobView job, JobRef ref) {
    String reason = job.reason() == null ? "" : ": " + job.reason();
    return "its job %s waits at %s (%s%s)%s".formatted(name, service, job.state(), reason, at(ref));
  }

  /**
   * Says what happened to the job.
   *
   * @param what such as {@code was stopped}
   */
  String of(String what, JobView job, JobRef ref) {
    String reason = job.reason() == null ? "" : " (" + job.reason() + ")";
    return "its job %s %s at %s%s%s".formatted(name, what, service, reason, at(ref));
  }

  /** Says that the job is not there any more. */
  String deleted() {
    return "its job " + name + " was deleted at " + service + ", not by this server";
  }

  /** The page that shows the job; null when the service has none. */
  @Nullable String page(JobRef ref) {
    return pages.apply(ref);
  }

  private String at(JobRef ref) {
    String page = page(ref);
    return page == null ? "" : ", see " + page;
  }
}
