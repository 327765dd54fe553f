package io.orrery.benchmarks.child;

import java.io.IOException;

/** Ties processes to processor cores, with {@code taskset} of util-linux. */
public final class CoreAffinity {
  private CoreAffinity() {}

  /**
   * Ties all present threads of a process; takes effect at once, and those that they start are tied
   * alike.
   *
   * @param cores a list as taskset takes it: {@code 0} or {@code 0-2}
   */
  public static void tie(long pid, String cores) throws IOException, InterruptedException {
    int status =
        new ProcessBuilder("taskset", "-acp", cores, Long.toString(pid))
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start()
            .waitFor();
    if (status != 0) {
      throw new IOException("taskset ended with status " + status);
    }
  }
}
