package io.orrery.compute.gpu;

import java.util.List;

/** The result of a look at the machine's GPUs. */
public sealed interface GpuSight {
  /** The devices by index; none when the driver knows of none. */
  record Seen(List<GpuDevice> devices) implements GpuSight {
    public Seen {
      devices = List.copyOf(devices);
    }
  }

  /** A machine without nvidia-smi. */
  record Absent() implements GpuSight {}

  /**
   * A look that gave no answer that can be used, although nvidia-smi is there; with the reason, as
   * a clause about it.
   */
  record Failed(String why) implements GpuSight {}
}
