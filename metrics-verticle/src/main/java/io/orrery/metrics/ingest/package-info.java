/**
 * Points on their way in. {@link io.orrery.metrics.ingest.Ingest} is the sink of the short path and
 * the same for callers on the bus, and announces what became durable. It must not look into values.
 */
@NullMarked
package io.orrery.metrics.ingest;

import org.jspecify.annotations.NullMarked;
