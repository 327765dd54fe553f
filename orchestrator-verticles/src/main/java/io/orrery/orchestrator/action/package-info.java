/**
 * Work of steps that the server does itself: experiments, registrations of models, deployments of
 * services. Each is idempotent by its run, step and attempt, so that the owner of a run may start
 * it again after a takeover. It asks over the bus, and stores nothing.
 */
@NullMarked
package io.orrery.orchestrator.action;

import org.jspecify.annotations.NullMarked;
