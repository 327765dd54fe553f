package io.orrery.compute.batch;

import io.orrery.compute.batch.JobApi.JobRef;

/** Sentences for people about one job, with its state and its page at the service. */
final class JobWords {
  private final JobApi api;
  private final String name;

  /**
   * @param name of the job
   */
  JobWords(JobApi api, String name) {
    this.api = api;
    this.name = name;
  }

  /** Says that the job waits. */
  String waits(JobView job, JobRef ref) {
    String reason = job.reason() == null ? "" : ": " + job.reason();
    return "its job %s waits at %s (%s%s)%s"
        .formatted(name, api.service(), job.state(), reason, page(ref));
  }

  /**
   * Says what happened to the job.
   *
   * @param what such as {@code was stopped}
   */
  String of(String what, JobView job, JobRef ref) {
    String reason = job.reason() == null ? "" : " (" + job.reason() + ")";
    return "its job %s %s at %s%s%s".formatted(name, what, api.service(), reason, page(ref));
  }

  /** Says that the job is not there any more. */
  String deleted() {
    return "its job " + name + " was deleted at " + api.service() + ", not by this server";
  }

  private String page(JobRef ref) {
    String page = api.page(ref);
    return page == null ? "" : ", see " + page;
  }
}
