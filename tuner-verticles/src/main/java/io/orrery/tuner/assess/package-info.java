/**
 * Early stopping of trials: {@link io.orrery.tuner.assess.Assessor} is the contract, {@link
 * io.orrery.tuner.assess.AssessorFactory} makes one. Like the search algorithms these are pure
 * objects that know nothing of Vert.x, clocks or stores; the host brings them what trials reported.
 */
@NullMarked
package io.orrery.tuner.assess;

import org.jspecify.annotations.NullMarked;
