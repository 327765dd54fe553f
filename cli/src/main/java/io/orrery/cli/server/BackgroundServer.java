package io.orrery.cli.server;

import io.orrery.cli.client.Api;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.ServerAddress;
import io.orrery.cli.client.ServerFile;
import io.orrery.cli.client.Session;
import io.orrery.core.problem.FileFault;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A server that this process started, in a session of its own, with its output in a file. */
public final class BackgroundServer {
  private static final Duration LOOK = Duration.ofMillis(50);
  private static final Duration READY_WITHIN = Duration.ofSeconds(60);
  private static final long TAIL_BYTES = 4096;

  /** A home holds keys and other people's output: it is private to its owner. */
  private static final FileAttribute<?> PRIVATE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private static final FileAttribute<?> PRIVATE_FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private final Process process;
  private final Path log;
  private final long logStart;
  private final Api api;

  private BackgroundServer(
      Process process, Path log, long logStart, Session session, Path home, Interrupts interrupts) {
    this.process = process;
    this.log = log;
    this.logStart = logStart;
    this.api = readyApi(session, home, interrupts);
  }

  /**
   * Starts {@code up} and waits until it serves.
   *
   * @param arguments after {@code up --home HOME}
   * @throws CommandFailure with the end of its log: refused when the server refused its
   *     configuration; failed when it ends otherwise or is not ready within 60 s; interrupted when
   *     Ctrl-C comes first
   */
  public static BackgroundServer start(
      Session session,
      ServerProgram program,
      Path home,
      List<String> arguments,
      Interrupts interrupts) {
    Path log = home.resolve("logs").resolve("server.log");
    List<String> words = new ArrayList<>(List.of("up", "--home", home.toString()));
    words.addAll(arguments);
    try {
      Files.createDirectories(log.getParent(), PRIVATE);
      long logStart = begun(log);
      ProcessBuilder builder =
          new ProcessBuilder(program.inOwnSession(words, session.terminal().environment()))
              .directory(home.toFile())
              .redirectInput(Path.of("/dev/null").toFile())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
      builder.environment().remove("ORRERY_TOKEN"); // ours to show, not the server's to keep
      Process process = builder.start();
      return new BackgroundServer(process, log, logStart, session, home, interrupts);
    } catch (IOException e) {
      throw CommandFailure.failed("cannot start a server in " + home + ": " + FileFault.words(e));
    }
  }

  /** The length of a log, which is made for its owner alone when it is not there. */
  private static long begun(Path log) throws IOException {
    try {
      Files.createFile(log, PRIVATE_FILE);
      return 0;
    } catch (FileAlreadyExistsException earlier) {
      return Files.size(log);
    }
  }

  /** The API of this server. */
  public Api api() {
    return api;
  }

  public long pid() {
    return process.pid();
  }

  public Path log() {
    return log;
  }

  /** Asks it to end, and ends it when it has not within the time. */
  public void end(Duration patience) {
    process.destroy();
    try {
      if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  /** Ends it at once. */
  public void kill() {
    process.destroyForcibly();
  }

  private Api readyApi(Session session, Path home, Interrupts interrupts) {
    Optional<ServerFile> before = ServerFile.read(home).filter(file -> file.pid() != process.pid());
    Instant deadline = session.terminal().clock().instant().plus(READY_WITHIN);
    int interruptsBefore = interrupts.count();
    while (process.isAlive()) {
      Optional<ServerFile> file = ServerFile.read(home);
      if (file.isPresent() && !file.equals(before)) {
        Api there = session.at(address(file.get()));
        if (there.health() == Api.Health.READY) {
          return there;
        }
      }
      if (session.terminal().clock().instant().isAfter(deadline)) {
        process.destroy();
        throw CommandFailure.failed(
            "the server was not ready within " + READY_WITHIN.toSeconds() + " s" + tail());
      }
      if (interrupts.pause(LOOK) > interruptsBefore) {
        process.destroy();
        throw CommandFailure.interrupted();
      }
    }
    if (process.exitValue() == CommandFailure.REFUSED) {
      throw CommandFailure.refused("the server refused its configuration" + tail());
    }
    throw CommandFailure.failed("the server ended with " + process.exitValue() + tail());
  }

  private static ServerAddress address(ServerFile file) {
    return new ServerAddress(file.url(), file.token(), ServerAddress.Source.FILE);
  }

  /** Why it may have written nothing. */
  private String silence() throws IOException {
    return Files.getFileStore(log).getUsableSpace() < TAIL_BYTES
        ? "; the disk of " + log + " is full"
        : "; it wrote nothing to " + log;
  }

  /** What it wrote last, for a message. */
  private String tail() {
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
      long from = Math.max(logStart, file.length() - TAIL_BYTES);
      byte[] bytes = new byte[(int) (file.length() - from)];
      file.seek(from);
      file.readFully(bytes);
      String text = new String(bytes, StandardCharsets.UTF_8).strip();
      return text.isEmpty() ? silence() : "; the end of " + log + ":\n" + text;
    } catch (IOException e) {
      return "; its log is " + log;
    }
  }
}
