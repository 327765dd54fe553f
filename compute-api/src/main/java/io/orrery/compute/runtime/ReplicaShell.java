package io.orrery.compute.runtime;

import io.orrery.core.bus.contract.Shells.Output;
import io.orrery.core.workload.TerminalSize;
import io.vertx.core.Future;

/**
 * A terminal on a shell within a replica, or a command with pipes, which ends with it. Thread safe;
 * nothing blocks.
 */
public interface ReplicaShell {
  /** The words for {@code sh -c} of an interactive shell: bash where it is there. */
  String INTERACTIVE = "command -v bash >/dev/null 2>&1 && exec bash -i; exec sh -i";

  /** Waits for output, at most some seconds; one call at a time. */
  Future<Output> read();

  /** Writes input; completes when it is taken. */
  Future<Void> write(byte[] input);

  /** Changes the size of the terminal; of several changes under way the last one stays. */
  Future<Void> resize(TerminalSize size);

  /** Ends the shell with what it has started; completes when that was done, or cannot be. */
  Future<Void> close();
}
