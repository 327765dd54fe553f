package io.orrery.tuner.python;

import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A Python process with code in it that is not ours, below a guard of ours that sees to it that
 * nothing outlives the server.
 */
public final class Child {
  private final Process process;
  private final Complaints complaints;

  Child(Process process, Complaints complaints) {
    this.process = process;
    this.complaints = complaints;
  }

  /** Of the guard. */
  public long pid() {
    return process.pid();
  }

  /** What the process reads. */
  public OutputStream input() {
    return process.getOutputStream();
  }

  /** What it says. */
  public InputStream output() {
    return process.getInputStream();
  }

  /** Ends it with all that it has started; returns at once. */
  public void end() {
    // The guard, which runs none of the user's code, kills the rest.
    process.toHandle().destroy();
  }

  /** Waits until it has ended; how it did, with the last that it complained of. */
  public String awaitEnd() throws InterruptedException {
    int code = process.waitFor();
    String last = complaints.last();
    return "its process ended with code "
        + code
        + (last.isEmpty() ? "" : "; the last that it wrote to stderr: " + last);
  }

  /** Waits no longer than that; whether it has ended. */
  public boolean awaitEnd(Duration most) throws InterruptedException {
    return process.waitFor(most.toMillis(), TimeUnit.MILLISECONDS);
  }

  static ProblemException failure(String why) {
    return new Problem.Broken(why).toException();
  }
}
