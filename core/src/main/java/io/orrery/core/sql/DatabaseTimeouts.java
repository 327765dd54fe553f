package io.orrery.core.sql;

import java.time.Duration;

/**
 * The timeouts of a database connection and of a takeover. A server that has lost its database
 * stops at the latest after {@code heartbeat + silence + outage}, and its process ends some seconds
 * later. {@code takeoverDelay} must be longer, so that a crashed server has stopped writing before
 * another takes over.
 *
 * @param heartbeat between two questions whether an idle connection is still there
 * @param silence without an answer, after which a connection counts as lost
 * @param outage without a connection, after which a server gives up
 * @param takeOver that a server waits at its start for the lock of one that is just going
 * @param takeoverDelay that a server waits before it acts in the place of one that did not say
 *     goodbye
 */
record DatabaseTimeouts(
    Duration heartbeat,
    Duration silence,
    Duration outage,
    Duration takeOver,
    Duration takeoverDelay) {
  static final DatabaseTimeouts STANDARD =
      new DatabaseTimeouts(
          Duration.ofSeconds(5),
          Duration.ofSeconds(30),
          Duration.ofSeconds(60),
          Duration.ofSeconds(3),
          Duration.ofSeconds(120));
}
