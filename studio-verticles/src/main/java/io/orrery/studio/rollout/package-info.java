/**
 * Rollouts: the steps by which a service takes over the requests of a domain from another, and the
 * gates that it has to pass. Pure; nothing here does anything.
 */
@NullMarked
package io.orrery.studio.rollout;

import org.jspecify.annotations.NullMarked;
