/**
 * The contract of runtimes, which keep workloads running somewhere. Each runtime has a package
 * below this one.
 */
@NullMarked
package io.orrery.compute.runtime;

import org.jspecify.annotations.NullMarked;
