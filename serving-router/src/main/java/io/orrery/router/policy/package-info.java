/**
 * The routing decisions and limits that hold for both ways of a request through the router. {@link
 * io.orrery.router.policy.Loop} is what an event loop has once of it. Knows neither sockets nor
 * headers.
 */
@NullMarked
package io.orrery.router.policy;

import org.jspecify.annotations.NullMarked;
