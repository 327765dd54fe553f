package io.orrery.benchmarks.router.load;

import java.io.IOException;

/** Clients that do tasks, one at a time. */
public interface Asking {
  /** Does a task to its end. */
  LoadOutcome run(Task task, Watch watch) throws IOException;

  /** A watch on the process of the proxy while it is asked. */
  interface Watch {
    /** The connections are warm. */
    void begins() throws IOException;
  }
}
