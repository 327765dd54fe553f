/**
 * How long from the command to the first answer, and what an idle server costs. Beside us a bare
 * Vert.x server, which is as quick as this platform gets.
 */
@NullMarked
package io.orrery.benchmarks.startup;

import org.jspecify.annotations.NullMarked;
