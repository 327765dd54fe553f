package io.orrery.compute.process;

import io.orrery.compute.process.Processes.Found;
import io.orrery.core.problem.Problem;
import io.orrery.core.process.PersonPrograms;
import io.orrery.core.process.ProgramLimits;
import io.orrery.core.process.Sandbox;
import io.orrery.core.time.Clock;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Watches what a program uses of its machine, as far as the kernel does not: its processes and
 * threads, the bytes of the directories that it may change, and what its person's programs use
 * together. A look takes at most a twentieth of the time, so a program with many files is looked at
 * less often; processes are counted at least every five seconds all the same, because a program
 * that forks without end makes the machine, and so each look, slow. Used by one thread at a time.
 */
public final class LimitWatch implements AutoCloseable {
  /** The pause after which a program should be looked at again. */
  public static final Duration PAUSE = Duration.ofSeconds(1);

  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
  private static final Duration PAUSE_OF_BYTES = Duration.ofSeconds(5);
  private static final Duration LATER = Duration.ofSeconds(5);
  private static final int SHARE = 20;

  /** A file takes at least so much of a disk. */
  private static final long BLOCK = 4096;

  private final ProgramLimits limits;
  private final PersonPrograms people;
  private final Clock clock;
  private final ProcessTable table;
  private final String mark;
  private PersonPrograms.@Nullable Program counted;
  private boolean over;
  private Instant tasksAt = Instant.EPOCH;
  private Instant bytesAt = Instant.EPOCH;

  /**
   * @param sandbox has the limits
   * @param mark that the processes of the program carry
   */
  public LimitWatch(Sandbox sandbox, Clock clock, ProcessTable table, String mark) {
    this.limits = sandbox.limits();
    this.people = sandbox.people();
    this.clock = clock;
    this.table = table;
    this.mark = mark;
  }

  /** Whether there is anything to look at. */
  public boolean isOn() {
    return !limits.isNone() || people.isOn();
  }

  /**
   * Refuses to start a program while the others of its person have all that they may.
   *
   * @param person empty when it belongs to no person
   * @throws io.orrery.core.problem.ProblemException Busy when it cannot start now
   */
  public void admit(String person) {
    String reason = people.full(person, clock.now());
    if (!reason.isEmpty()) {
      throw new Problem.Busy(reason, LATER).toException();
    }
  }

  /**
   * Counts the program as one of a person, until this is closed. May be called by another thread.
   *
   * @param person empty when it belongs to no person
   */
  public synchronized void countFor(String person) {
    if (!over && counted == null) {
      counted = people.open(person, clock.now());
    }
  }

  private synchronized PersonPrograms.@Nullable Program counted() {
    return counted;
  }

  /** The program is over: it counts no more. */
  @Override
  public synchronized void close() {
    over = true;
    if (counted != null) {
      counted.close();
    }
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
    String reason = look(root, directories);
    if (reason != null) {
      // It is ended: what it has is no reason to end another.
      close();
    }
    return reason;
  }

  private @Nullable String look(long root, List<Path> directories) throws IOException {
    Instant began = clock.now();
    if (!began.isBefore(tasksAt)) {
      String reason = excess(table.take().program(mark, root), began);
      if (!reason.isEmpty()) {
        return reason;
      }
      tasksAt = clock.now().plus(LONGEST_PAUSE);
      Instant next = next(began, PAUSE);
      tasksAt = next.isBefore(tasksAt) ? next : tasksAt;
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

  private String excess(Collection<Found> program, Instant now) {
    long tasks = program.stream().mapToLong(Found::threads).sum();
    String reason = limits.excessTasks(tasks);
    PersonPrograms.Program ofPerson = counted();
    if (!reason.isEmpty() || ofPerson == null) {
      return reason;
    }
    List<Long> pids = program.stream().map(Found::pid).toList();
    return ofPerson.uses(
        now, tasks, () -> ProcessUsage.of(pids).memory(), () -> ProcessUsage.proportional(pids));
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
