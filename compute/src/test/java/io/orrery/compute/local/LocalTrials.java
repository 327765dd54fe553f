package io.orrery.compute.local;

import io.orrery.compute.process.LaunchClaims.Taken;
import io.orrery.compute.process.ProcessSignals;
import io.orrery.compute.process.Processes;
import io.orrery.core.id.AttemptRef;
import java.nio.file.Path;

/** The processes of local attempts, for suites of platforms that have local ones among theirs. */
public final class LocalTrials {
  private LocalTrials() {}

  /** Kills the wrapper of an attempt, which would tell its end. */
  public static void lose(Path home, AttemptRef attempt) throws Exception {
    if (AttemptFiles.of(home, attempt).claims().current() instanceof Taken held) {
      ProcessSignals.toProcess(held.pid(), ProcessSignals.KILL);
    }
  }

  /** Whether anything of an attempt runs. */
  public static boolean runs(Path home, AttemptRef attempt) throws Exception {
    String mark = new ProcessMarks(home).of(attempt);
    return Processes.all(ProcessMarks.VARIABLE).stream()
        .anyMatch(process -> mark.equals(process.mark()));
  }
}
