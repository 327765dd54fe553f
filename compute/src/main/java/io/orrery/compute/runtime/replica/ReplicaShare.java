package io.orrery.compute.runtime.replica;

import io.orrery.compute.runtime.replica.ReplicaFiles.Facts;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.WorkloadSpec;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The parts of this machine that a replica is given: ports and GPUs. Used by its thread. */
final class ReplicaShare {
  private final ReplicaMachine machine;
  private final WorkloadSpec spec;
  private final ReplicaPorts ports;
  private final ReplicaGpus gpus;

  /**
   * @param nudge called from any thread when there may be more
   */
  ReplicaShare(ReplicaTools tools, ReplicaRef ref, WorkloadSpec spec, Runnable nudge) {
    ReplicaFiles files = tools.files(ref);
    this.machine = tools.machine();
    this.spec = spec;
    this.ports = new ReplicaPorts(tools.ports(), files);
    this.gpus = new ReplicaGpus(machine.gpus(), ref, spec.resources().gpus(), files, nudge);
  }

  Allotment all() {
    return new Allotment(ports.all(), gpus.all());
  }

  /** Takes over what an earlier server gave it. */
  void adopt(Facts facts) throws IOException {
    ports.adopt(facts);
    gpus.adopt();
  }

  /**
   * Takes what it has not.
   *
   * @return the reason why it must wait; null when it has all
   */
  @Nullable String take(int failures) throws IOException {
    String wait = gpus.take();
    if (wait != null) {
      return wait;
    }
    return ports.take(machine.given(spec.ports()), failures)
        ? null
        : "no port of this machine is free for it";
  }

  /** Writes down how many of its programs ended in a row. */
  void record(int failures) throws IOException {
    ports.record(failures);
  }

  /** Gives all back, after its files are gone. */
  void release() {
    ports.release();
    gpus.release();
  }

  /** Leaves it to another server. */
  void leave() {
    gpus.leave();
  }
}
