package io.orrery.compute.gpu;

import io.orrery.core.time.Clock;
import java.util.List;
import java.util.Optional;

/**
 * The GPUs of this machine. All parts of a server that start programs here draw on one inventory,
 * so that no device is given twice.
 *
 * @param probe looks at the devices
 * @param queue in which programs wait for devices
 */
public record GpuInventory(GpuProbe probe, GpuQueue queue) {
  /**
   * An inventory without holders, which looks on threads of its own.
   *
   * @param sources know the programs of this machine that hold devices, whichever server has
   *     started them
   */
  public static GpuInventory of(GpuProbe probe, Clock clock, List<GpuCensus.Source> sources) {
    return new GpuInventory(
        probe,
        new GpuQueue(
            probe::look,
            GpuCensus.together(sources),
            clock,
            work -> Thread.ofVirtual().name("gpu-look").start(work)));
  }

  /**
   * The reason why a service or a notebook can never have so many whole devices; empty when it can,
   * or wants none. Blocks while it looks.
   */
  public Optional<String> refusal(int wanted) {
    return wanted == 0
        ? Optional.empty()
        : Optional.ofNullable(GpuRequest.whole(wanted).refusal(probe.look()));
  }
}
