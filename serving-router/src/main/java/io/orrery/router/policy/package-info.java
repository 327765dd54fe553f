/**
 * Who answers a request, and whether it may be asked: what holds whichever way a request takes
 * through the router. {@link io.orrery.router.policy.Loop} is what an event loop has once of it.
 * Knows neither sockets nor headers.
 */
@NullMarked
package io.orrery.router.policy;

import org.jspecify.annotations.NullMarked;
