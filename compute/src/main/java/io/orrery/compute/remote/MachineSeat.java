package io.orrery.compute.remote;

import io.orrery.compute.gpu.GpuGrant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The place of an attempt on a machine, and the GPUs that go with it. */
record MachineSeat(Machine machine, @Nullable GpuGrant grant) {
  /**
   * The seat of an attempt that has a place; null when its machine is not in the list, which cannot
   * be: the list of an experiment never changes.
   */
  static @Nullable MachineSeat of(
      List<MachineChoice.Candidate> candidates, RemoteFiles.Place place) {
    return candidates.stream()
        .map(MachineChoice.Candidate::machine)
        .filter(machine -> machine.name().equals(place.machine()))
        .findFirst()
        .map(machine -> new MachineSeat(machine, place.grant()))
        .orElse(null);
  }
}
