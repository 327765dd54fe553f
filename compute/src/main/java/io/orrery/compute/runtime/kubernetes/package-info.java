/**
 * The runtime that keeps workloads running as pods of a Kubernetes cluster: one pod for each start
 * of a replica's program. It restarts pods itself and never deletes one that it was not told to
 * end.
 */
@NullMarked
package io.orrery.compute.runtime.kubernetes;

import org.jspecify.annotations.NullMarked;
