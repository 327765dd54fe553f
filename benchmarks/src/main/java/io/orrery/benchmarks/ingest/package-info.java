/**
 * How many reported points a second the server makes durable, and what one costs it. Entry type:
 * {@link io.orrery.benchmarks.ingest.IngestBenchmark}; the load comes from this process over plain
 * sockets, so that the loader is not what is measured.
 */
@NullMarked
package io.orrery.benchmarks.ingest;

import org.jspecify.annotations.NullMarked;
