/**
 * The allocation of a machine's GPUs to trials and to the programs of services and notebooks.
 * {@link io.orrery.compute.gpu.GpuQueue} is the entry: programs wait in it until {@link
 * io.orrery.compute.gpu.GpuPlan} finds devices for them, and {@link io.orrery.compute.gpu.GpuProbe}
 * asks nvidia-smi what there is, but only while programs wait. It never gives away a device on
 * knowledge that is older than the last look, and never lets a probe that hangs hold up anything
 * but programs that need GPUs. {@link io.orrery.compute.gpu.GpuInventory} is what all parts of a
 * server share.
 */
@NullMarked
package io.orrery.compute.gpu;

import org.jspecify.annotations.NullMarked;
