package io.orrery.compute.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Starts programs, each as the leader of a session of its own, so that no signal to the server's
 * terminal reaches them.
 */
public interface Spawn {
  /**
   * Starts a program.
   *
   * @param onExit called from any thread soon after it has ended; a hint, which may not come
   */
  ChildProcess start(Program program, Runnable onExit) throws IOException;

  /**
   * A program and what it sees: its stdin is empty.
   *
   * @param line the program and its arguments; a name without a slash is looked for on the PATH
   * @param stdout what it writes is appended here
   * @param stderr as stdout
   */
  record Program(
      List<String> line,
      Path directory,
      Map<String, String> environment,
      Path stdout,
      Path stderr) {
    public Program {
      line = List.copyOf(line);
      environment = Map.copyOf(environment);
    }
  }

  /** The cheapest way that this system has. */
  static Spawn best() {
    return NativeSpawn.isPossible() ? new NativeSpawn() : new SetsidSpawn();
  }

  /** Whether programs start without the program setsid. */
  static boolean isNative() {
    return NativeSpawn.isPossible();
  }
}
