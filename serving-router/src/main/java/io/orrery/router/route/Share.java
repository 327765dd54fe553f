package io.orrery.router.route;

/**
 * A part of the requests of a service that goes to another one, or is copied to it.
 *
 * @param service its name
 * @param percent 0 to 100
 */
public record Share(String service, double percent) {}
