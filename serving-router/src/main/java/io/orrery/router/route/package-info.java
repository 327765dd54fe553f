/**
 * The routing configuration: {@link io.orrery.router.route.RouteTable}, immutable and swapped
 * whole, read by {@link io.orrery.router.route.RouteReader}, which refuses a document whole and
 * says all that is wrong with it. Pure: no sockets, no time, no Vert.x.
 */
@NullMarked
package io.orrery.router.route;

import org.jspecify.annotations.NullMarked;
