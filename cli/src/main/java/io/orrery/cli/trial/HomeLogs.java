package io.orrery.cli.trial;

import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.print.Terminal;
import io.orrery.core.problem.FileFault;
import io.orrery.core.text.Nearest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The files that trials have written below a home, read without a server: {@code
 * experiments/ID/trials/TRIAL/stderr}, and {@code attempt-N/stderr} of each later attempt. Links
 * are not followed: a trial may have put them there.
 */
final class HomeLogs {
  private final Path experiments;
  private final Terminal terminal;

  HomeLogs(Terminal terminal) {
    this.experiments = terminal.home().resolve("experiments");
    this.terminal = terminal;
  }

  /** Whether there is anything to be found. */
  boolean exist() {
    return Files.isDirectory(experiments);
  }

  /**
   * Prints a file of a trial's last attempt to stdout.
   *
   * @param experiment an id or the beginning of one; null for the experiment that was changed last
   * @param trial an id or the beginning of one
   * @throws CommandFailure failed, when there is none, or it is not clear which
   */
  void print(@Nullable String experiment, String trial, String file) {
    try {
      Path of = experiment(experiment);
      Path directory = only(of.resolve("trials"), trial, "trial");
      Path log = lastAttempt(directory).resolve(file);
      terminal.say("no server answers; this is " + log);
      if (Files.isRegularFile(log, LinkOption.NOFOLLOW_LINKS)) {
        Files.copy(log, terminal.out());
      }
    } catch (IOException e) {
      throw CommandFailure.failed("the log cannot be read: " + FileFault.words(e));
    }
  }

  private Path experiment(@Nullable String given) throws IOException {
    if (given != null) {
      return only(experiments, given, "experiment");
    }
    return directories(experiments)
        .max(Comparator.comparingLong(path -> path.toFile().lastModified()))
        .orElseThrow(() -> CommandFailure.failed("there is no experiment in " + experiments));
  }

  private static Path only(Path parent, String given, String what) throws IOException {
    List<Path> all = directories(parent).toList();
    List<Path> fitting =
        all.stream()
            .filter(path -> name(path).startsWith(given))
            .sorted(Comparator.comparingInt(path -> name(path).length()))
            .toList();
    boolean whole = !fitting.isEmpty() && name(fitting.getFirst()).equals(given);
    if (fitting.size() == 1 || whole) {
      return fitting.getFirst();
    }
    throw CommandFailure.failed(
        fitting.isEmpty()
            ? "no server answers, and "
                + parent
                + " has no "
                + what
                + " '"
                + given
                + "'"
                + Nearest.hint(given, all.stream().map(HomeLogs::name).toList())
            : "several begin with '"
                + given
                + "': "
                + String.join(", ", fitting.stream().limit(20).map(HomeLogs::name).toList()));
  }

  private static Path lastAttempt(Path trial) throws IOException {
    return directories(trial)
        .filter(path -> name(path).matches("attempt-[0-9]{1,6}"))
        .max(Comparator.comparingInt(path -> Integer.parseInt(name(path).substring(8))))
        .orElse(trial);
  }

  private static Stream<Path> directories(Path parent) throws IOException {
    try (Stream<Path> entries = Files.list(parent)) {
      return entries
          .filter(path -> Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS))
          .toList()
          .stream();
    }
  }

  private static String name(Path path) {
    return path.getFileName().toString();
  }
}
