/**
 * The owner of a running experiment: one verticle for each experiment under a lease. It feeds the
 * model with events, stores what the model decided before the outside sees it, and carries the
 * decisions out at tuner, assessor and training service.
 */
@NullMarked
package io.orrery.orchestrator.experiment.owner;

import org.jspecify.annotations.NullMarked;
