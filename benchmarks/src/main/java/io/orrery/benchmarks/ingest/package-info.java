/**
 * The benchmark of ingestion: durable points a second, and the processor time of a point. Entry
 * type: {@link io.orrery.benchmarks.ingest.IngestBenchmark}; the load comes from this process over
 * plain sockets, so that the loader is not what is measured.
 */
@NullMarked
package io.orrery.benchmarks.ingest;

import org.jspecify.annotations.NullMarked;
