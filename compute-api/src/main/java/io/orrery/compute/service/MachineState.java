package io.orrery.compute.service;

import io.orrery.core.id.AttemptRef;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The last known state of a machine that attempts run on, or of a whole service that shows none of
 * its machines.
 *
 * @param service the platform, or the name that it has among several
 * @param name the machine's; null for the service as a whole
 * @param absence why it takes no attempt now, as a clause about it; null when it takes some
 * @param since since when it has been there, or has not; null when that is unknown
 * @param heardAt when it was last heard; null when that does not matter, or it never was
 * @param attempts those that have a place there, of whichever experiment
 * @param free how many more of the experiment could start there at once; null when they are not
 *     counted
 * @param gpus its devices; null when giving them is not the platform's business
 */
public record MachineState(
    String service,
    @Nullable String name,
    @Nullable String absence,
    @Nullable Instant since,
    @Nullable Instant heardAt,
    List<AttemptRef> attempts,
    @Nullable Integer free,
    @Nullable GpuReport gpus) {
  public MachineState {
    attempts = List.copyOf(attempts);
  }

  /** The same machine with other attempts. */
  public MachineState running(List<AttemptRef> others) {
    return new MachineState(service, name, absence, since, heardAt, others, free, gpus);
  }

  /** The same machine under the name that its platform has elsewhere. */
  public MachineState of(String other) {
    return new MachineState(other, name, absence, since, heardAt, attempts, free, gpus);
  }
}
