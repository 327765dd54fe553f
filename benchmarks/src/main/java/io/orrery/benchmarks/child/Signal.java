package io.orrery.benchmarks.child;

import java.io.IOException;

/** The signals that can be sent to a process. */
public enum Signal {
  /** Stands still until it is told to go on. */
  STOP,
  CONT,
  HUP,
  USR2;

  /** Tells a process, and waits until it has been told. */
  public void send(ProcessHandle process) throws IOException {
    new ProcessBuilder("kill", "-" + name(), Long.toString(process.pid())).start().onExit().join();
  }
}
