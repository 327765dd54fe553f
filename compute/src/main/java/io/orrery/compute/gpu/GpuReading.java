package io.orrery.compute.gpu;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The measured use of a GPU.
 *
 * @param percent of the time in which it computed; null when the device does not say
 * @param usedMemory in MiB; null when the device does not say
 */
public record GpuReading(
    int index, String name, @Nullable Integer percent, @Nullable Long usedMemory) {

  /**
   * The use of all GPUs of a machine.
   *
   * @param failure why there are none; null when they were read
   */
  public record All(List<GpuReading> gpus, @Nullable String failure) {
    /** A machine without nvidia-smi. */
    public static final All NONE = new All(List.of(), null);

    public All {
      gpus = List.copyOf(gpus);
    }
  }
}
