/**
 * Jobs of a cluster: what one costs the server, and what many cost that run at once. Entry type:
 * {@link io.orrery.benchmarks.kubernetes.KubernetesBenchmark}.
 */
@NullMarked
package io.orrery.benchmarks.kubernetes;

import org.jspecify.annotations.NullMarked;
