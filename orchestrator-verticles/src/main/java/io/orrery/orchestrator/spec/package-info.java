/**
 * The reader of configurations: converts an experiment file of NNI's v1, v2 or v3 form into one
 * {@link io.orrery.core.experiment.ExperimentSpec}, with everything that is wrong said at once.
 * {@link io.orrery.orchestrator.spec.SpecReader} is the entry; the same validation serves the
 * command line, the API and a dry run. Nothing here knows the bus, Vert.x or what an algorithm
 * accepts: the caller asks the tuner module for that.
 */
@NullMarked
package io.orrery.orchestrator.spec;

import org.jspecify.annotations.NullMarked;
