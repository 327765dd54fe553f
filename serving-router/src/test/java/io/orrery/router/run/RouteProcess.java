package io.orrery.router.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orrery.core.process.SignalDefaults;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A router that runs alone, as a process. */
final class RouteProcess {
  private static final Pattern READY = Pattern.compile("at https?://127.0.0.1:(\\d+), .*:(\\d+)");

  private final Process process;
  private final Path log;
  private int port;
  private int admin;

  /** The main class of the process; the verb of the command line does the same. */
  public static final class Entry {
    private Entry() {}

    public static void main(String[] arguments) {
      Path file = Path.of(arguments[0]);
      String patience = System.getProperty("test.patience");
      System.exit(
          (patience == null
                  ? new RouteProgram(file, null)
                  : new RouteProgram(file, null, Duration.parse(patience)))
              .run());
    }
  }

  private RouteProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  static RouteProcess start(Path config, Path log) throws IOException {
    return start(config, log, List.of());
  }

  /** The same under a parent that ignores a signal, as nohup does HUP. */
  static RouteProcess startIgnoring(String signal, Path config, Path log) throws IOException {
    List<String> command =
        new ArrayList<>(List.of("sh", "-c", "trap '' \"$0\"; exec \"$@\"", signal));
    command.addAll(java(config, List.of()));
    return started(command, log);
  }

  /**
   * The same with further options of the JVM.
   *
   * @param options such as -Xmx64m
   */
  static RouteProcess start(Path config, Path log, List<String> options) throws IOException {
    // Also where the tests run under nohup, which ignores SIGHUP (A7).
    return started(SignalDefaults.with(java(config, options)), log);
  }

  /**
   * The same for a process that may open no more than so many files.
   *
   * @param patience how long it may fail to serve
   */
  static RouteProcess startWithFiles(int files, Duration patience, Path config, Path log)
      throws IOException {
    List<String> command =
        new ArrayList<>(List.of("sh", "-c", "ulimit -n \"$0\"; exec \"$@\"", "" + files));
    command.addAll(java(config, List.of("-Dtest.patience=" + patience)));
    return started(command, log);
  }

  private static List<String> java(Path config, List<String> options) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED"));
    command.addAll(options);
    command.addAll(
        List.of(
            "-cp",
            System.getProperty("java.class.path"),
            Entry.class.getName(),
            config.toString()));
    return command;
  }

  private static RouteProcess started(List<String> command, Path log) throws IOException {
    return new RouteProcess(
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start(),
        log);
  }

  void awaitReady() throws IOException {
    await().atMost(Duration.ofSeconds(50)).until(() -> READY.matcher(log()).find());
    Matcher ready = READY.matcher(log());
    assertThat(ready.find()).isTrue();
    port = Integer.parseInt(ready.group(1));
    admin = Integer.parseInt(ready.group(2));
  }

  int port() {
    return port;
  }

  int admin() {
    return admin;
  }

  String log() throws IOException {
    return Files.readString(log);
  }

  void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
  }

  boolean alive() {
    return process.isAlive();
  }

  /** Waits for its end. */
  int exitCode() throws InterruptedException {
    assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    return process.exitValue();
  }

  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }
}
