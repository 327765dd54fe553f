/**
 * Every number that a trial reports, durable before it is acknowledged. {@link
 * io.orrery.metrics.MetricsVerticle} is the door: it opens the log, serves the addresses of {@link
 * io.orrery.core.bus.contract.Metrics} and hands out the sink of the short path. It never decides
 * anything about a trial, and never blocks an event loop.
 */
@NullMarked
package io.orrery.metrics;

import org.jspecify.annotations.NullMarked;
