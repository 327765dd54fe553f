/**
 * The way of a connection to a service that is reached by a port: bytes that the router passes on
 * and does not read. {@link io.orrery.router.tcp.PortListeners} is one event loop of it, a {@code
 * ByteRelay} one connection.
 */
@NullMarked
package io.orrery.router.tcp;

import org.jspecify.annotations.NullMarked;
