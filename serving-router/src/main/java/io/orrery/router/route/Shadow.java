package io.orrery.router.route;

/**
 * A target that gets copies of the requests of a service.
 *
 * @param share how many of them
 * @param compareBodies whether what it answers is compared with what the client was told, beyond
 *     the status
 */
public record Shadow(Share share, boolean compareBodies) {}
