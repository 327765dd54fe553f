/**
 * The allocation of this machine's GPUs to trials. {@link io.orrery.compute.gpu.GpuQueue} is the
 * entry: attempts wait in it until {@link io.orrery.compute.gpu.GpuPlan} finds devices for them,
 * and {@link io.orrery.compute.gpu.GpuProbe} asks nvidia-smi what there is, but only while attempts
 * wait. It never gives away a device on knowledge that is older than the last look, and never lets
 * a probe that hangs hold up anything but trials that need GPUs.
 */
@NullMarked
package io.orrery.compute.gpu;

import org.jspecify.annotations.NullMarked;
