package io.orrery.router.route;

import java.time.Duration;

/**
 * A check that asks endpoints whether they are well.
 *
 * @param healthy good answers in a row that bring one back
 * @param unhealthy bad ones in a row that take one out
 */
public record HealthCheck(
    String path, Duration interval, Duration timeout, int healthy, int unhealthy) {}
