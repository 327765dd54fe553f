/**
 * The proxies that are measured, each set up for all scenarios at once: one event loop, no logs,
 * connections kept. {@link io.orrery.benchmarks.router.peer.EndpointLayout} is what all of them are
 * told.
 */
@NullMarked
package io.orrery.benchmarks.router.peer;

import org.jspecify.annotations.NullMarked;
