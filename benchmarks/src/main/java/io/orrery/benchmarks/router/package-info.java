/**
 * The serving router beside its peers: the same requests, the same machine, in turns. What counts
 * is the processor time of the proxy's process for each request.
 */
@NullMarked
package io.orrery.benchmarks.router;

import org.jspecify.annotations.NullMarked;
