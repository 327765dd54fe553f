package io.orrery.compute.batch;

import java.time.Duration;

/**
 * The timeouts and intervals of a batch service; tests use shorter ones.
 *
 * @param quick between two looks while something happens
 * @param slow between two looks at most, while nothing does or the service refuses
 * @param farewell for a keeper that was told to end, before its job is stopped
 * @param lingering for a job after its keeper has ended
 * @param again after which a job that goes on although it was stopped is stopped again
 * @param missing without a job, before it is said that it was deleted
 * @param spare for a job that waits while its attempt's command runs in another one
 * @param blind without an answer of the service, before it is said
 */
record BatchTimeouts(
    Duration quick,
    Duration slow,
    Duration farewell,
    Duration lingering,
    Duration again,
    Duration missing,
    Duration spare,
    Duration blind) {
  static final BatchTimeouts STANDARD =
      new BatchTimeouts(
          Duration.ofSeconds(3),
          Duration.ofSeconds(30),
          Duration.ofSeconds(10),
          Duration.ofSeconds(60),
          Duration.ofSeconds(30),
          Duration.ofSeconds(20),
          Duration.ofSeconds(60),
          Duration.ofSeconds(30));
}
