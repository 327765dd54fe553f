package io.orrery.router.route;

import java.time.Duration;

/**
 * Timeouts of a service.
 *
 * @param connect for a connection to an endpoint
 * @param firstByte for the head of the answer, from when the request has been sent
 * @param idle for the next piece of either body
 * @param total for the whole exchange; WebSockets and other upgrades are exempt
 */
public record Timeouts(Duration connect, Duration firstByte, Duration idle, Duration total) {
  public static final Timeouts DEFAULT =
      new Timeouts(
          Duration.ofSeconds(1),
          Duration.ofSeconds(30),
          Duration.ofSeconds(60),
          Duration.ofSeconds(300));
}
