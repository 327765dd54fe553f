/**
 * Attempts as AdaptDLJobs of the AdaptDL scheduler. What all jobs of a cluster have in common is
 * done by {@code platform.kubernetes}; here is how an AdaptDLJob is written and read, and what goes
 * with one: a claim for its checkpoints, and a TensorBoard for all of an experiment.
 */
@NullMarked
package io.orrery.compute.adl;

import org.jspecify.annotations.NullMarked;
