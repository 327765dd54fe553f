package io.orrery.compute.gpu;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A GPU as it was seen.
 *
 * @param index its number in the order of the PCI bus, from 0
 * @param name the model, such as {@code NVIDIA A100-SXM4-40GB}
 * @param memory in MiB; null when the device does not say
 * @param fault why it cannot be used, such as {@code lost}; null when it can
 * @param processes what computes on it; what only draws there is not counted
 */
public record GpuDevice(
    int index,
    String name,
    @Nullable Long memory,
    @Nullable String fault,
    List<GpuProcess> processes) {

  public GpuDevice {
    processes = List.copyOf(processes);
  }

  /** A process that computes on a device; its name is the program's, as far as it is known. */
  public record GpuProcess(long pid, String name) {}
}
