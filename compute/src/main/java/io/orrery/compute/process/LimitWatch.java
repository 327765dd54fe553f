package io.orrery.compute.process;

import io.orrery.core.process.ProgramLimits;
import io.orrery.core.time.Clock;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Watches what a program uses of its machine, as far as the kernel does not: its processes and
 * threads, and the bytes of the directories that it may change. A look takes at most a twentieth of
 * the time, so a program with many files is looked at less often. Used by one thread at a time.
 */
public final class LimitWatch {
  /** The pause after which a program should be looked at again. */
  public static final Duration PAUSE = Duration.ofSeconds(1);

  private static final Duration PAUSE_OF_BYTES = Duration.ofSeconds(5);
  private static final int SHARE = 20;

  /** A file takes at least so much of a disk. */
  private static final long BLOCK = 4096;

  private final ProgramLimits limits;
  private final Clock clock;
  private final ProcessTable table;
  private final String mark;
  private Instant tasksAt = Instant.EPOCH;
  private Instant bytesAt = Instant.EPOCH;

  /**
   * @param mark that the processes of the program carry
   */
  public LimitWatch(ProgramLimits limits, Clock clock, ProcessTable table, String mark) {
    this.limits = limits;
    this.clock = clock;
    this.table = table;
    this.mark = mark;
  }

  /** Whether there is anything to look at. */
  public boolean isOn() {
    return !limits.isNone();
  }

  /**
   * The reason why a program is to be ended at once; null when there is none. Blocks.
   *
   * @param root the process from which the others descend
   * @param directories that it may change
   */
  public @Nullable String excess(long root, List<Path> directories) throws IOException {
    if (!isOn()) {
      return null;
    }
    Instant began = clock.now();
    if (!began.isBefore(tasksAt)) {
      String reason = limits.excessTasks(table.take().tasks(mark, root));
      if (!reason.isEmpty()) {
        return reason;
      }
      tasksAt = next(began, PAUSE);
    }
    began = clock.now();
    if (!began.isBefore(bytesAt)) {
      String reason = limits.excessBytes(bytes(directories));
      if (!reason.isEmpty()) {
        return reason;
      }
      bytesAt = next(began, PAUSE_OF_BYTES);
    }
    return null;
  }

  private Instant next(Instant began, Duration pause) {
    Instant ended = clock.now();
    Duration rest = Duration.between(began, ended).multipliedBy(SHARE);
    return ended.plus(rest.compareTo(pause) < 0 ? pause : rest);
  }

  /** The bytes of directories; not all when they are more than they may be. */
  private long bytes(List<Path> directories) throws IOException {
    Sum sum = new Sum(limits.bytes());
    for (Path directory : directories) {
      Files.walkFileTree(directory, sum);
    }
    return sum.bytes;
  }

  /** A sum of the sizes of files, in blocks; links are not followed. */
  private static final class Sum extends SimpleFileVisitor<Path> {
    private final long most;
    private long bytes;

    Sum(long most) {
      this.most = most;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
      return add(BLOCK);
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      return add(attributes.isRegularFile() ? attributes.size() : 0);
    }

    private FileVisitResult add(long size) {
      bytes += Math.max(1, (size + BLOCK - 1) / BLOCK) * BLOCK;
      return bytes > most ? FileVisitResult.TERMINATE : FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException gone) {
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException unread) {
      return FileVisitResult.CONTINUE;
    }
  }
}
