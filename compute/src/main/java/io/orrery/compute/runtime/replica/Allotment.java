package io.orrery.compute.runtime.replica;

import io.orrery.compute.gpu.GpuGrant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The parts of this machine that a replica is given.
 *
 * @param ports the port by the name of the specification's
 * @param gpus null for none
 */
public record Allotment(Map<String, Integer> ports, @Nullable GpuGrant gpus) {
  public Allotment {
    ports = Map.copyOf(ports);
  }
}
