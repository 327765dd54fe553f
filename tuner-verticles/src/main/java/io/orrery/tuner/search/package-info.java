/**
 * The contract of search algorithms: {@link io.orrery.tuner.search.Tuner} is the contract, {@link
 * io.orrery.tuner.search.TunerFactory} makes one and describes it, and {@link
 * io.orrery.tuner.search.Arguments} are its options, checked. {@link
 * io.orrery.tuner.search.PointTuner} is all of a tuner but where the next point lies, which a
 * {@link io.orrery.tuner.search.Proposer} says. Each algorithm is a package below this one. Nothing
 * here knows Vert.x, a clock, a file or a thread.
 */
@NullMarked
package io.orrery.tuner.search;

import org.jspecify.annotations.NullMarked;
