package io.orrery.compute.kubernetes;

import java.time.Duration;

/**
 * The timeouts and intervals of a cluster; tests use shorter ones.
 *
 * @param tick how often every attempt is looked at that no event told of
 * @param farewell for a keeper that was told to end, before its job is deleted
 * @param collector for the garbage collector to end the pods of a deleted job, before we do
 * @param lingering for pods after their job has ended, and for a job after its trial has
 * @param lost for a pod that was deleted on a node that does not answer
 * @param hopeless for a pod that cannot start unless an administrator repairs something
 * @param telling for one watch to tell of pods whose job another has told is over
 * @param puzzling without a pod, before the cluster's warnings are asked for
 * @param blind without a watch, before it is said
 */
record ClusterTimeouts(
    Duration tick,
    Duration farewell,
    Duration collector,
    Duration lingering,
    Duration lost,
    Duration hopeless,
    Duration telling,
    Duration puzzling,
    Duration blind) {
  static final ClusterTimeouts STANDARD =
      new ClusterTimeouts(
          Duration.ofSeconds(5),
          Duration.ofSeconds(10),
          Duration.ofSeconds(15),
          Duration.ofSeconds(60),
          Duration.ofMinutes(5),
          Duration.ofMinutes(5),
          Duration.ofSeconds(1),
          Duration.ofSeconds(5),
          Duration.ofSeconds(30));

  /** The same with another time for the garbage collector. */
  ClusterTimeouts withCollector(Duration time) {
    return new ClusterTimeouts(
        tick, farewell, time, lingering, lost, hopeless, telling, puzzling, blind);
  }
}
