/**
 * Attempts as TFJobs and PyTorchJobs of Kubeflow's training operators. What all jobs of a cluster
 * have in common is done by {@code platform.kubernetes}; here is only how these two are written and
 * read, in the versions that operators have had.
 */
@NullMarked
package io.orrery.compute.kubeflow;

import org.jspecify.annotations.NullMarked;
