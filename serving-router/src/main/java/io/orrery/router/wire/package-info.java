/**
 * Plain HTTP/1.1, forwarded as bytes: the way that nearly all requests take, without an object for
 * each header. {@link io.orrery.router.wire.Mount} stands before the server of Vert.x on every
 * connection. A request that it understands to the last byte is forwarded here; at the first that
 * it does not, it steps aside and the connection is Vert.x's, to its end ({@code
 * io.orrery.router.proxy}). So this package refuses nothing for its form except the middle of a
 * chunked body, and knows no upgrades and no HTTP/1.0, and TLS only as a handler before its own.
 *
 * <p>Connections of HTTP/2 are Vert.x's from the beginning. Of their requests those that have a
 * plain form come here one by one, by {@link io.orrery.router.wire.Streams}.
 *
 * <p>{@link io.orrery.router.wire.MessageHead} reads heads, {@code HeadWriter} writes them; a
 * {@code Client} is a connection of a client, a {@code StreamRequest} a stream of one, an {@code
 * Upstream} one to an endpoint, a {@code Relay} one request and its answer between them, with a
 * {@code RequestSide} for the way to the endpoint. What is decided about requests lies in {@code
 * io.orrery.router.policy}, as for the other way (docs/decisions/0023).
 */
@NullMarked
package io.orrery.router.wire;

import org.jspecify.annotations.NullMarked;
