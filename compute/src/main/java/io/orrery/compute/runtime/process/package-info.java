/**
 * The runtime of workloads that are processes of this machine, with nothing installed. {@link
 * io.orrery.compute.runtime.process.ProcessRuntime} is the door; {@code LinuxMachine} starts, finds
 * and ends processes for the replicas. Linux only.
 */
@NullMarked
package io.orrery.compute.runtime.process;

import org.jspecify.annotations.NullMarked;
