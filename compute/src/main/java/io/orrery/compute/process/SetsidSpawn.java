package io.orrery.compute.process;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts programs by Java's own launcher and the program setsid, which works on every Linux. */
final class SetsidSpawn implements Spawn {
  @Override
  public ChildProcess start(Program program, Runnable onExit) throws IOException {
    List<String> line = new ArrayList<>(List.of("setsid"));
    line.addAll(program.line());
    ProcessBuilder builder = new ProcessBuilder(line).directory(program.directory().toFile());
    builder.environment().clear();
    builder.environment().putAll(program.environment());
    Process process =
        builder
            .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
            .redirectOutput(Redirect.appendTo(program.stdout().toFile()))
            .redirectError(Redirect.appendTo(program.stderr().toFile()))
            .start();
    process.onExit().thenRun(onExit);
    return new JavaChild(process);
  }

  private record JavaChild(Process process) implements ChildProcess {
    @Override
    public long pid() {
      return process.pid();
    }

    @Override
    public boolean isAlive() {
      return process.isAlive();
    }

    @Override
    public void kill() {
      process.destroyForcibly();
    }
  }
}
