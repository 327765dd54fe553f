package io.orrery.compute.batch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/**
 * The machines of a stand-in service: a container is a process of this one, with the variables of
 * its image and its job and no others, and everything that carries its job's mark goes with it.
 */
public final class Machines {
  private static final String MARK = "STAND_IN_JOB";
  private static final String CONTAINER = "STAND_IN_CONTAINER";
  private static final long GRACE_MILLIS = 1_500;

  private final Path directory;
  private final Set<String> jobs = ConcurrentHashMap.newKeySet();

  /** Makes its directory. */
  public Machines(Path directory) {
    try {
      this.directory = Files.createDirectories(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Starts a container of a job.
   *
   * @param ended gets the exit code, on a thread of its own; 127 when there is no such program
   */
  public void start(
      String job, List<String> command, Map<String, String> variables, IntConsumer ended) {
    jobs.add(job);
    Thread.ofVirtual().start(() -> ended.accept(run(job, command, variables)));
  }

  private int run(String job, List<String> command, Map<String, String> variables) {
    try {
      Path disk = Files.createTempDirectory(directory, "disk");
      ProcessBuilder builder = new ProcessBuilder(command);
      builder.environment().keySet().removeIf(name -> !name.equals("PATH"));
      builder.environment().put("HOME", disk.toString());
      builder.environment().put("TMPDIR", disk.toString());
      builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
      builder.environment().put("ORRERY_KEEPER_GRACE", "0.5");
      builder.environment().putAll(variables);
      builder.environment().put(MARK, mark(job));
      builder.environment().put(CONTAINER, disk.toString());
      builder.directory(disk.toFile()).redirectErrorStream(true);
      builder.redirectOutput(
          ProcessBuilder.Redirect.appendTo(directory.resolve(job + ".log").toFile()));
      int code = builder.start().waitFor();
      // What it left behind goes with it, as in a container; its job's others go on.
      killMarked(CONTAINER, disk.toString());
      return code;
    } catch (IOException e) {
      return 127;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 137;
    }
  }

  /** Jobs of the machines of another service have the same names. */
  private String mark(String job) {
    return directory.resolve(job).toString();
  }

  /** The output of a job's containers. */
  public String log(String job) throws IOException {
    Path log = directory.resolve(job + ".log");
    return Files.exists(log) ? Files.readString(log) : "";
  }

  /** TERM, a while, then KILL to all that has the job's mark. */
  public void end(String job) {
    marked(MARK, mark(job)).forEach(ProcessHandle::destroy);
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(GRACE_MILLIS);
    try {
      while (runs(job) && System.nanoTime() < end) {
        TimeUnit.MILLISECONDS.sleep(20);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    kill(job);
  }

  /** Kills all that has the job's mark. */
  public void kill(String job) {
    killMarked(MARK, mark(job));
  }

  /** Kills all that was ever started here. */
  void killAll() {
    jobs.forEach(this::kill);
  }

  private static void killMarked(String variable, String value) {
    List<ProcessHandle> found = marked(variable, value);
    while (!found.isEmpty()) {
      found.forEach(ProcessHandle::destroyForcibly);
      found = marked(variable, value);
    }
  }

  /** Whether anything of a job runs. */
  public boolean runs(String job) {
    return !marked(MARK, mark(job)).isEmpty();
  }

  private static List<ProcessHandle> marked(String variable, String value) {
    String mark = "\0" + variable + "=" + value + "\0";
    List<ProcessHandle> found = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (Path process : all) {
        try {
          String variables =
              Files.readString(process.resolve("environ"), StandardCharsets.ISO_8859_1);
          if (("\0" + variables).contains(mark)) {
            ProcessHandle.of(Long.parseLong(process.getFileName().toString()))
                .ifPresent(found::add);
          }
        } catch (IOException notOursOrGone) {
          continue;
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found;
  }
}
