/**
 * The owner of runs: it has the steps of pipelines run as jobs of a training service, one after the
 * other as their edges say, and keeps their outputs.
 *
 * <p>{@link io.orrery.orchestrator.run.RunModel} is pure and decides; {@link
 * io.orrery.orchestrator.run.RunOwner} carries out what was decided, after it is stored. No
 * template and no pipeline is read here: a {@link io.orrery.core.run.RunSpec} is complete.
 */
@NullMarked
package io.orrery.orchestrator.run;

import org.jspecify.annotations.NullMarked;
