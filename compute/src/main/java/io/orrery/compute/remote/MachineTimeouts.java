package io.orrery.compute.remote;

import java.time.Duration;

/**
 * Timeouts for work on a machine; tests have shorter ones.
 *
 * @param tick how often an attempt is looked at of which nothing was heard
 * @param connect for each of connecting and logging in
 * @param gathering for each further machine, once the first one is there
 * @param command for a short command
 * @param transfer for one that moves code or the keeper
 * @param firstPause before the second try to connect; each later one is twice as long
 * @param longestPause between two tries
 * @param farewell for a keeper that was told to end, before its processes are ended from outside
 * @param grace from SIGTERM to SIGKILL, for a command and for what is left of it; and for a wrapper
 *     to end after its keeper
 * @param aside how long a machine that could not start an attempt gets no others
 */
record MachineTimeouts(
    Duration tick,
    Duration connect,
    Duration gathering,
    Duration command,
    Duration transfer,
    Duration firstPause,
    Duration longestPause,
    Duration farewell,
    Duration grace,
    Duration aside) {
  static final MachineTimeouts STANDARD =
      new MachineTimeouts(
          Duration.ofSeconds(5),
          Duration.ofSeconds(20),
          Duration.ofSeconds(3),
          Duration.ofSeconds(60),
          Duration.ofMinutes(10),
          Duration.ofSeconds(1),
          Duration.ofSeconds(30),
          Duration.ofSeconds(30),
          Duration.ofSeconds(5),
          Duration.ofSeconds(60));
}
