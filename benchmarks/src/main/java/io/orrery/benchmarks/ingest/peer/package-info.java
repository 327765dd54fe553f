/**
 * The other programs that the ingestion benchmark measures: how each is started, sent a point and
 * asked what it has. Each keeps what its makers set, but for what it says about itself. {@link
 * io.orrery.benchmarks.ingest.peer.IngestPeer} is what all of them are.
 */
@NullMarked
package io.orrery.benchmarks.ingest.peer;

import org.jspecify.annotations.NullMarked;
