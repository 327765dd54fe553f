/**
 * A user's own Python class, in a child process: {@link io.orrery.tuner.python.Interpreter} starts
 * one, {@link io.orrery.tuner.python.PythonAlgorithm} asks it one question after the other. What
 * the questions mean is said in {@code orrery_algorithms} of the trial SDK, which answers them.
 * Calls block: they belong on a thread of their own.
 */
@NullMarked
package io.orrery.tuner.python;

import org.jspecify.annotations.NullMarked;
