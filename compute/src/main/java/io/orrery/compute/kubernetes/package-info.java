/**
 * Attempts as jobs of a Kubernetes cluster. What all kinds of job have in common is here: {@link
 * io.orrery.compute.kubernetes.JobService} has what an experiment needs in its cluster, {@code
 * Attempts} creates, adopts and deletes the jobs, {@code ReconcileQueue} says when one is looked
 * at; a {@link io.orrery.compute.kubernetes.JobKind} says what one looks like and how its status
 * reads. {@link io.orrery.kubernetes.Cluster} is the only class that talks to an API server, and
 * its calls always block; what a watch tells comes on the thread that reads it. Plain {@code
 * batch/v1} Jobs live here too, as the platform {@code kubernetes}; operators' kinds are packages
 * beside this one.
 *
 * <p>The level decides, not the edge: whatever wakes an attempt up, it looks at what the watches
 * hold now and at what its keeper said, so that a lost, late or doubled event changes nothing.
 */
@NullMarked
package io.orrery.compute.kubernetes;

import org.jspecify.annotations.NullMarked;
