package io.orrery.compute.gpu;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The GPUs that a program was given.
 *
 * @param devices indices, ascending, at least one
 * @param trialsPerGpu most programs on each of them while this one is there, itself included
 */
public record GpuGrant(List<Integer> devices, int trialsPerGpu) {
  public GpuGrant {
    devices = List.copyOf(devices);
  }

  /** The devices as CUDA_VISIBLE_DEVICES has them: {@code 0,2}. */
  public String visible() {
    return devices.stream().map(String::valueOf).collect(Collectors.joining(","));
  }
}
