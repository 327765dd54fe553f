/**
 * The control plane of the router: {@link io.orrery.router.control.TableInbox} takes tables in and
 * keeps the last good one on disk, {@link io.orrery.router.control.AdminVerticle} is the port of
 * operators, {@link io.orrery.router.control.RouteDoor} the router's place on the bus of a server
 * that runs one.
 */
@NullMarked
package io.orrery.router.control;

import org.jspecify.annotations.NullMarked;
