/**
 * The health of services and endpoints: {@link io.orrery.router.health.LiveTable} joins a route
 * table with what is known of its services and endpoints, and what is known outlives the table.
 * Event loops read and write it at once, so it is made of atomics and volatile flags, and nothing
 * in it waits.
 *
 * <p>{@link io.orrery.router.health.Prober} asks endpoints that want to be asked; what the answers
 * of real requests say comes from the proxy.
 */
@NullMarked
package io.orrery.router.health;

import org.jspecify.annotations.NullMarked;
