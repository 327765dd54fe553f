package io.orrery.benchmarks.router.load;

import io.orrery.benchmarks.child.CoreAffinity;
import io.orrery.core.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The process of clients and endpoints, as the one that directs it sees it. */
public final class RouterLoad implements Asking, AutoCloseable {
  private final Process process;
  private final BufferedReader answers;
  private final int[] endpoints;

  private RouterLoad(Process process) throws IOException {
    this.process = process;
    this.answers = process.inputReader(StandardCharsets.UTF_8);
    this.endpoints = Json.read(line(), int[].class);
  }

  /**
   * Starts it.
   *
   * @param core that it is tied to
   */
  public static RouterLoad start(String core) throws IOException {
    return start(core, LoadProgram.class);
  }

  /** Starts one whose only endpoint answers with streams of events. */
  public static RouterLoad events(String core) throws IOException {
    return start(core, EventProgram.class);
  }

  private static RouterLoad start(String core, Class<?> program) throws IOException {
    return new RouterLoad(
        new ProcessBuilder(
                "taskset",
                "-c",
                core,
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                program.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start());
  }

  /** Ties all threads of the process to other cores; takes effect at once. */
  public void tie(String cores) throws IOException, InterruptedException {
    CoreAffinity.tie(process.pid(), cores);
  }

  /** Ports: the owner, a second version that can be killed, a shadow, one that takes 2 s. */
  public int[] endpoints() {
    return endpoints.clone();
  }

  @Override
  public LoadOutcome run(Task task, Watch watch) throws IOException {
    process.getOutputStream().write((Json.write(task) + "\n").getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();
    line();
    watch.begins();
    return Json.read(line(), LoadOutcome.class);
  }

  private String line() throws IOException {
    String line = answers.readLine();
    if (line == null) {
      throw new IOException("the load program ended");
    }
    return line;
  }

  @Override
  public void close() {
    process.destroy();
  }
}
