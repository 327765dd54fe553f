/**
 * The storage of metric points. {@link io.orrery.metrics.store.MetricLog} is the contract that
 * ingestion and queries build on, {@link io.orrery.metrics.store.SegmentLog} its implementation: a
 * write-ahead log in front of per-attempt chunks, in files or in a database ({@link
 * io.orrery.metrics.store.LogPlace}). Nothing here knows the bus, and nothing is acknowledged
 * before the disk has it.
 */
@NullMarked
package io.orrery.metrics.store;

import org.jspecify.annotations.NullMarked;
