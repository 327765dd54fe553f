/**
 * Where points are kept. {@link io.orrery.metrics.store.MetricLog} is the contract that ingestion
 * and queries build on, {@link io.orrery.metrics.store.SegmentLog} its embedded implementation: a
 * write-ahead log in front of per-attempt chunks. Nothing here knows the bus, and nothing is
 * acknowledged before the disk has it.
 */
@NullMarked
package io.orrery.metrics.store;

import org.jspecify.annotations.NullMarked;
