package io.orrery.compute.runtime.process;

import io.orrery.compute.command.TrialCommand;
import io.orrery.compute.process.Processes;
import io.orrery.compute.runtime.ReplicaShell;
import io.orrery.compute.runtime.ShellOutput;
import io.orrery.compute.runtime.TerminalResizes;
import io.orrery.core.bus.contract.Shells.Output;
import io.orrery.core.process.Sandbox;
import io.orrery.core.time.Clock;
import io.orrery.core.workload.TerminalSize;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A terminal on a shell beside the processes of a replica, with its directory, its environment and
 * its mark, so that it is ended with the replica. The pseudo-terminal is made by {@code script(1)},
 * and {@code stty(1)} changes its size; both are part of every Linux distribution.
 */
final class ScriptShell implements ReplicaShell {
  /**
   * The environment variable of a shell and all that it starts; its value is the replica's mark.
   */
  static final String VARIABLE = "ORRERY_SHELL";

  /**
   * Starts a program with Control+C and Control+Backslash as they are usually. A server that a
   * script has started in the background ignores these signals, and so would all that a shell of it
   * starts. Where {@code env} has no such option they stay as they are.
   */
  static final String WITH_SIGNALS =
      "d=--default-signal=INT,QUIT; env $d true 2>/dev/null && exec env $d \"$@\"; exec \"$@\"";

  private static final int PIECE = 8 * 1024;
  private static final int LOOKS = 100;
  private static final long PAUSE_MILLIS = 20;

  private final Process process;
  private final ShellOutput output;
  private final TerminalResizes resizes;

  private ScriptShell(Process process, Clock clock) {
    this.process = process;
    this.output = new ShellOutput(clock, () -> {});
    this.resizes =
        new TerminalResizes(size ->
            run(() -> {
              resizeNow(size);
              return null;
            }));
  }

  /**
   * Starts a shell. Blocks.
   *
   * @param mark of the replica
   */
  static ReplicaShell open(
      Clock clock,
      String mark,
      Map<String, String> environment,
      Sandbox sandbox,
      Sandbox.Mounts mounts,
      TerminalSize size)
      throws IOException {
    // The terminal is the machine's, so that its size can be changed from here.
    String inside =
        sandbox.endingLine(mounts, List.of("/bin/sh", "-c", INTERACTIVE)).stream()
            .map(TrialCommand::quoted)
            .collect(Collectors.joining(" "));
    ProcessBuilder builder =
        new ProcessBuilder(
                "/bin/sh", "-c", WITH_SIGNALS, "shell", "script", "-qefc", inside, "/dev/null")
            .directory(mounts.work().toFile())
            .redirectErrorStream(true);
    builder.environment().clear();
    builder.environment().putAll(environment);
    builder.environment().put(VARIABLE, mark);
    builder.environment().put("TERM", "xterm-256color");
    builder.environment().put("SHELL", "/bin/sh");
    ScriptShell shell = new ScriptShell(builder.start(), clock);
    shell.resizeNow(size);
    Thread.ofVirtual().name("shell-output").start(shell::copy);
    return shell;
  }

  private void copy() {
    byte[] piece = new byte[PIECE];
    try (InputStream all = process.getInputStream()) {
      for (int length = all.read(piece); length > 0; length = all.read(piece)) {
        if (!output.add(piece, length)) {
          output.awaitRoom();
        }
      }
      output.end(process.waitFor());
    } catch (IOException e) {
      output.end(null);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      output.end(null);
    }
  }

  @Override
  public Future<Output> read() {
    return output.read();
  }

  @Override
  public Future<Void> write(byte[] input) {
    return run(() -> {
      OutputStream stdin = process.getOutputStream();
      stdin.write(input);
      stdin.flush();
      return null;
    });
  }

  @Override
  public Future<Void> resize(TerminalSize size) {
    return resizes.to(size);
  }

  private static Future<Void> run(Callable<@Nullable Void> work) {
    Promise<Void> done = Promise.promise();
    Thread.ofVirtual()
        .name("shell-input")
        .start(() -> {
          try {
            done.complete(work.call());
          } catch (Exception e) {
            done.fail(e);
          }
        });
    return done.future();
  }

  private void resizeNow(TerminalSize size) throws IOException {
    try {
      Path terminal = terminal();
      if (terminal != null) {
        Process stty =
            new ProcessBuilder(
                    "stty",
                    "-F",
                    terminal.toString(),
                    "cols",
                    Integer.toString(size.columns()),
                    "rows",
                    Integer.toString(size.rows()))
                .redirectOutput(Redirect.DISCARD)
                .redirectError(Redirect.DISCARD)
                .start();
        stty.waitFor(1, TimeUnit.SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the server is closing", e);
    }
  }

  /** The device of the shell's end of the terminal; null when there is none. */
  private @Nullable Path terminal() throws IOException, InterruptedException {
    for (int looks = 0; looks < LOOKS && process.isAlive(); looks++) {
      List<Long> tree = Processes.tree(process.pid());
      for (long pid : tree.subList(1, tree.size())) {
        try {
          Path device = Files.readSymbolicLink(Path.of("/proc/" + pid + "/fd/0"));
          if (device.startsWith("/dev/pts")) {
            return device;
          }
        } catch (IOException notYet) {
          // It has ended, or does not run its program yet.
        }
      }
      Thread.sleep(PAUSE_MILLIS);
    }
    return null;
  }

  @Override
  public Future<Void> close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    return Future.succeededFuture();
  }
}
