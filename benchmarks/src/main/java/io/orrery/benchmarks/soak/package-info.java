/**
 * Measures whether a server under mixed load stays as it is: memory, threads, files, and losses.
 */
@NullMarked
package io.orrery.benchmarks.soak;

import org.jspecify.annotations.NullMarked;
