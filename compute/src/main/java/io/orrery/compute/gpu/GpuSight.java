package io.orrery.compute.gpu;

import java.util.List;

/** What a look at the machine's GPUs has brought. */
public sealed interface GpuSight {
  /** The devices by index; none when the driver knows of none. */
  record Seen(List<GpuDevice> devices) implements GpuSight {
    public Seen {
      devices = List.copyOf(devices);
    }
  }

  /** There is no nvidia-smi here. */
  record Absent() implements GpuSight {}

  /** nvidia-smi is there and gave no answer that can be used; why, as a clause about it. */
  record Failed(String why) implements GpuSight {}
}
