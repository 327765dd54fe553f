/**
 * The parts that all routes share: the listener, limits, the guard against foreign pages, problems
 * as RFC 9457, bounded reading and writing. Entry type: {@link
 * io.orrery.gateway.http.EdgeVerticle}, which serves whatever {@link io.orrery.gateway.http.Api}s
 * it is given. It must never know a feature by name, hold an unbounded body, or let a fault of ours
 * reach a client in words.
 */
@NullMarked
package io.orrery.gateway.http;

import org.jspecify.annotations.NullMarked;
