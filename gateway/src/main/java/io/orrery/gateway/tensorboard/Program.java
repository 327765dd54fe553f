package io.orrery.gateway.tensorboard;

import io.orrery.core.problem.Problem;
import io.orrery.core.process.PythonEnvironment;
import io.orrery.core.process.SearchPath;
import io.orrery.core.process.UserEnvironment;
import io.orrery.core.time.Clock;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The user's own {@code tensorboard}, found on the server's PATH, as one process that serves a
 * directory on a port of the loopback interface. Lives on one event loop.
 */
final class Program {
  private static final String PATH_VARIABLE = "ORRERY_BOARD_PATH";

  /**
   * Becomes the program, beside a child that ends it when our end of the pipe closes: when this
   * process is killed, nothing is left behind.
   */
  private static final String TIED_TO_US =
      """
      exec 3<&0
      { cat <&3 >/dev/null; kill $$; } 2>/dev/null &
      exec "$@" </dev/null 3<&-
      """;

  /**
   * Becomes the program below a path. A command line is shown to all users of the machine, so the
   * path, which is the secret, comes in a variable. Modules are not looked for where it runs.
   */
  private static final String BELOW_A_PATH =
      """
      import os, sys
      sys.path = [place for place in sys.path if place]
      sys.argv = ["tensorboard", *sys.argv[1:], "--path_prefix", os.environ.pop("%s")]
      from tensorboard.main import run_main
      run_main()
      """
          .formatted(PATH_VARIABLE);

  private static final String NAME = "tensorboard";

  /** What a shell answers for a program that it cannot find. */
  private static final int NOT_FOUND = 127;

  private static final int LAST_LINES = 3;
  private static final String LOCAL = "127.0.0.1";
  private static final Duration KNOCK_AGAIN = Duration.ofMillis(200);
  private static final long ANSWER_MS = 5_000;

  /** With TensorFlow installed beside it, it takes its time. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** From being asked to end to being killed. */
  private static final Duration FAREWELL = Duration.ofSeconds(5);

  private final Path directory;
  private final int port;
  private final Process process;
  private final Promise<Integer> ended = Promise.promise();

  private Program(Context context, Path directory, int port, Process process) {
    this.directory = directory;
    this.port = port;
    this.process = process;
    process
        .onExit()
        .thenAccept(gone -> context.runOnContext(told -> ended.complete(gone.exitValue())));
  }

  /**
   * Starts it; whether it comes up is seen later.
   *
   * @param directory what it shows, and where it runs
   * @param path below which alone it answers, with a slash at the beginning; empty for none
   */
  static Future<Program> start(Context context, Path directory, int port, String path) {
    return context
        .executeBlocking(() -> start(directory, port, path), false)
        .map(process -> new Program(context, directory, port, process));
  }

  private static Process start(Path directory, int port, String path) throws IOException {
    List<String> command = new ArrayList<>(List.of("sh", "-c", TIED_TO_US, "sh"));
    command.addAll(path.isEmpty() ? List.of(NAME) : belowAPath());
    command.addAll(
        List.of(
            "--logdir", directory.toString(), "--host", LOCAL, "--port", Integer.toString(port)));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(Redirect.to(log(directory).toFile()));
    builder.environment().clear();
    builder.environment().putAll(environment());
    if (!path.isEmpty()) {
      builder.environment().put(PATH_VARIABLE, path);
    }
    return builder.start();
  }

  private static List<String> belowAPath() throws IOException {
    Path program =
        SearchPath.of(environment()).find(NAME).orElseThrow(() -> missing().toException());
    List<String> command = new ArrayList<>(PythonScript.interpreter(program));
    command.addAll(List.of("-c", BELOW_A_PATH));
    return command;
  }

  private static Map<String, String> environment() {
    return PythonEnvironment.of(UserEnvironment.get());
  }

  /** Whether there is such a program; reads the disk. */
  static boolean isThere() {
    return SearchPath.of(environment()).find(NAME).isPresent();
  }

  /** What is wrong where there is no such program. */
  static Problem missing() {
    return new Problem.Conflict(
        "There is no program 'tensorboard' on the server's PATH. Install it on the server's"
            + " machine: pip install tensorboard");
  }

  long pid() {
    return process.pid();
  }

  /** Completes with the exit code. */
  Future<Integer> ended() {
    return ended.future();
  }

  void end(Clock clock) {
    process.destroy();
    Clock.Timer last = clock.after(FAREWELL, process::destroyForcibly);
    ended.future().onComplete(gone -> last.cancel());
  }

  /** Waits until it serves; a Conflict says why it never will. */
  Future<Void> up(HttpClient client, Clock clock) {
    return up(client, clock, clock.now().plus(PATIENCE));
  }

  private Future<Void> up(HttpClient client, Clock clock, Instant until) {
    if (ended.future().isComplete()) {
      return Future.failedFuture(why(ended.future().result()).toException());
    }
    if (clock.now().isAfter(until)) {
      return Future.failedFuture(
          new Problem.Conflict(
                  "TensorBoard did not serve within " + PATIENCE.toSeconds() + " s" + lastWords())
              .toException());
    }
    return knock(client)
        .recover(silent -> {
          Promise<Void> again = Promise.promise();
          clock.after(KNOCK_AGAIN, again::complete);
          return again.future().compose(now -> up(client, clock, until));
        });
  }

  /** Any answer is one. */
  private Future<Void> knock(HttpClient client) {
    return client
        .request(
            new RequestOptions()
                .setMethod(HttpMethod.GET)
                .setHost(LOCAL)
                .setPort(port)
                .setURI("/")
                .setTimeout(ANSWER_MS))
        .compose(HttpClientRequest::send)
        .mapEmpty();
  }

  private Problem why(int exitCode) {
    return exitCode == NOT_FOUND
        ? missing()
        : new Problem.Conflict("TensorBoard ended with exit code " + exitCode + lastWords());
  }

  /** Short, and read only when something went wrong. */
  private String lastWords() {
    try {
      List<String> lines =
          Files.readString(log(directory), StandardCharsets.ISO_8859_1)
              .lines()
              .filter(line -> !line.isBlank())
              .toList();
      List<String> last = lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size());
      return last.isEmpty() ? "." : ": " + String.join(" / ", last);
    } catch (IOException e) {
      return ".";
    }
  }

  private static Path log(Path directory) {
    return directory.resolve("tensorboard.log");
  }
}
