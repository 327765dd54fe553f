/**
 * Reported values over HTTP: in as lines of JSON, out as series. Entry type: {@link
 * io.orrery.gateway.metric.MetricApi}. A batch is taken whole or refused whole, and it is
 * acknowledged when the sink says that it is durable, never before.
 */
@NullMarked
package io.orrery.gateway.metric;

import org.jspecify.annotations.NullMarked;
