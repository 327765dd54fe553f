/**
 * Runs what is measured with JMH. A micro-benchmark lies beside what it measures, in a public class
 * whose name ends in {@code Jmh}; the annotation processor lists it, so nothing is registered here.
 */
@NullMarked
package io.orrery.benchmarks.micro;

import org.jspecify.annotations.NullMarked;
