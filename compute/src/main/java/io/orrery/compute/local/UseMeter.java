package io.orrery.compute.local;

import io.orrery.compute.process.ProcessUsage;
import io.orrery.compute.process.Processes;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.process.ProgramUse;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Measures what a step uses, at each look. The kernel's own sum at the end ({@code wait4(2)}) would
 * say too much: a process that the server has spawned has the server's memory as its peak.
 */
final class UseMeter {
  private static final double NANOS = 1e9;

  private final boolean on;
  private volatile @Nullable ProgramUse use;

  /** Trials are not measured: nothing is advised for them, and there are more of them. */
  UseMeter(AttemptRef attempt) {
    this.on = attempt.trial().experiment().isOfRun();
  }

  /** Looks at a process and all that descend from it. Blocks. */
  void look(long root) {
    if (!on) {
      return;
    }
    ProcessUsage now = ProcessUsage.of(Processes.tree(root));
    ProgramUse before = use;
    Duration cpu = Duration.ofNanos((long) (now.cpuSeconds() * NANOS));
    use =
        before == null
            ? new ProgramUse(now.memory(), cpu)
            : new ProgramUse(
                Math.max(before.memory(), now.memory()),
                before.cpu().compareTo(cpu) > 0 ? before.cpu() : cpu);
  }

  /** The most that was seen; null before the first look. */
  @Nullable ProgramUse use() {
    return use;
  }
}
