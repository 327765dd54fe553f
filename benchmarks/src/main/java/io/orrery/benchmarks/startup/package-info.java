/**
 * The benchmark of the start: the time from the command to the first answer, and the cost of an
 * idle server. Beside us a bare Vert.x server, which is as quick as this platform gets.
 */
@NullMarked
package io.orrery.benchmarks.startup;

import org.jspecify.annotations.NullMarked;
