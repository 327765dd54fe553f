package io.orrery.gateway.workspace;

import io.orrery.core.file.ConfinedDirectory;
import io.orrery.core.file.ConfinedFile;
import io.orrery.core.problem.FileFault;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.time.Clock;
import io.orrery.core.workload.Workspaces;
import io.orrery.gateway.workspace.WorkspaceEntry.Kind;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The directories of people, each operation within the one of its person: no link is followed, and
 * nothing but plain files is opened. Blocks; failures are problems.
 */
final class WorkspaceStorage {
  private static final Duration STALE = Duration.ofDays(1);

  private final Workspaces workspaces;
  private final WorkspaceQuota quota;
  private final Clock clock;
  private final RandomGenerator random;

  /**
   * @param most bytes of a person
   * @param random of the names of files that are being uploaded
   */
  WorkspaceStorage(Workspaces workspaces, long most, Clock clock, RandomGenerator random) {
    this.workspaces = workspaces;
    this.quota = new WorkspaceQuota(most, clock);
    this.clock = clock;
    this.random = random;
  }

  /** A part of a directory. */
  record Listing(List<WorkspaceEntry> entries, @Nullable String next) {}

  /** An opened file. */
  record Opened(WorkspaceEntry entry, FileChannel content) {}

  /** The bytes of a person, and how many there may be. */
  record Used(long bytes, long most) {}

  // ---- reading -------------------------------------------------------------------------------

  WorkspaceEntry entry(WorkspacePath path) {
    return of(
        path,
        () -> {
          if (path.isRoot()) {
            return new WorkspaceEntry("", Kind.DIRECTORY, 0, clock.now());
          }
          try (ConfinedDirectory parent = directory(path.parent())) {
            return WorkspaceEntry.of(path.name(), parent.attributes(path.name()));
          }
        });
  }

  /**
   * The names of a directory in their order.
   *
   * @param after the name before the first one; null for all
   */
  Listing list(WorkspacePath path, @Nullable String after, int limit) {
    return of(
        path,
        () -> {
          List<WorkspaceEntry> entries = new ArrayList<>();
          try (ConfinedDirectory directory = directory(path)) {
            for (String name : new TreeSet<>(directory.names())) {
              if (name.startsWith(WorkspacePath.PART)) {
                dropStale(directory, name);
              } else if (after == null || name.compareTo(after) > 0) {
                if (entries.size() == limit) {
                  return new Listing(entries, entries.getLast().name());
                }
                add(entries, directory, name);
              }
            }
          } catch (NoSuchFileException e) {
            if (!path.isRoot()) {
              throw e;
            }
          }
          return new Listing(entries, null);
        });
  }

  private static void add(List<WorkspaceEntry> entries, ConfinedDirectory directory, String name)
      throws IOException {
    try {
      entries.add(WorkspaceEntry.of(name, directory.attributes(name)));
    } catch (NoSuchFileException e) {
      // It went after its name was read.
      return;
    }
  }

  /** Deletes the part of an upload or copy whose server was killed. */
  private void dropStale(ConfinedDirectory directory, String name) throws IOException {
    try {
      if (directory
          .attributes(name)
          .lastModifiedTime()
          .toInstant()
          .isBefore(clock.now().minus(STALE))) {
        directory.deleteTree(name);
      }
    } catch (NoSuchFileException e) {
      // Another server was faster.
      return;
    }
  }

  /** Opens a file, to be closed by the caller. */
  Opened open(WorkspacePath path, WorkspaceEntry seen) {
    return of(
        path,
        () -> {
          FileChannel content = ConfinedFile.open(root(path), root(path).resolve(path.below()));
          return new Opened(
              new WorkspaceEntry(seen.name(), Kind.FILE, content.size(), seen.changedAt()),
              content);
        });
  }

  Used used(WorkspacePath path) {
    return of(path, () -> new Used(quota.used(path.user(), () -> bytes(path)), quota.most()));
  }

  private long bytes(WorkspacePath path) throws IOException {
    try (ConfinedDirectory root = ConfinedDirectory.open(root(path), Path.of(""))) {
      return root.bytes();
    } catch (NoSuchFileException e) {
      return 0;
    }
  }

  // ---- changing ------------------------------------------------------------------------------

  /**
   * Begins to write a file, whose directories are made.
   *
   * @param announced bytes; 0 when that is not known
   */
  WorkspaceWriting write(WorkspacePath path, long announced) {
    return of(
        path,
        () -> {
          requireName(path);
          quota.begin(path.user(), announced, () -> bytes(path));
          try {
            ConfinedDirectory parent = made(path.parent());
            try {
              String part = part();
              return new WorkspaceWriting(path, quota, parent, part, parent.create(part));
            } catch (IOException | RuntimeException e) {
              parent.close();
              throw e;
            }
          } catch (IOException | RuntimeException e) {
            quota.end(path.user());
            throw e;
          }
        });
  }

  /** A name that nothing has. */
  private String part() {
    byte[] id = new byte[8];
    random.nextBytes(id);
    return WorkspacePath.PART + HexFormat.of().formatHex(id);
  }

  /**
   * Begins to copy a directory, which is not there yet; those above it are made.
   *
   * @param bytes in all
   */
  WorkspaceCopying copy(WorkspacePath path, long bytes) {
    return of(
        path,
        () -> {
          quota.begin(path.user(), bytes, () -> bytes(path));
          try {
            return WorkspaceCopying.begin(path, quota, made(path.parent()), part());
          } catch (IOException | RuntimeException e) {
            quota.end(path.user());
            throw e;
          }
        });
  }

  /** Checks that so many bytes fit. */
  void checkRoom(WorkspacePath path, long bytes) {
    of(path, () -> quota.room(path.user(), bytes, () -> bytes(path)));
  }

  /**
   * Checks that a file can be written, and changes nothing.
   *
   * @param announced bytes; 0 when that is not known
   * @param expected the tag of what is replaced; null for any
   * @return the bytes that it may have
   */
  long checkWrite(WorkspacePath path, long announced, @Nullable String expected) {
    return of(
        path,
        () -> {
          requireName(path);
          WorkspaceWriting.requireReplaceable(path, present(path), expected);
          return quota.room(path.user(), announced, () -> bytes(path));
        });
  }

  /** The refusal of a file that grows beyond what {@link #checkWrite} allowed. */
  ProblemException full(WorkspacePath path) {
    return of(path, () -> quota.full(path.user(), quota.used(path.user(), () -> bytes(path))));
  }

  /** Checks that a directory can be made, or is there, and changes nothing; true if it is there. */
  boolean checkDirectory(WorkspacePath path) {
    return of(
        path,
        () -> {
          requireName(path);
          WorkspaceEntry found = present(path);
          if (found != null && found.kind() != Kind.DIRECTORY) {
            throw conflict("%s is there already, and is no directory.".formatted(path));
          }
          return found != null;
        });
  }

  /** The entry at a path; null when there is none. */
  private @Nullable WorkspaceEntry present(WorkspacePath path) throws IOException {
    try (ConfinedDirectory parent = directory(path.parent())) {
      return WorkspaceEntry.of(path.name(), parent.attributes(path.name()));
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  /** Makes a directory and those above it; false when it was there. */
  boolean makeDirectory(WorkspacePath path) {
    return of(
        path,
        () -> {
          requireName(path);
          try (ConfinedDirectory parent = made(path.parent())) {
            boolean made = parent.make(path.name());
            if (!made && !parent.attributes(path.name()).isDirectory()) {
              throw conflict("%s is there already, and is no directory.".formatted(path));
            }
            return made;
          }
        });
  }

  /**
   * Renames a file or directory.
   *
   * @param replaces whether a file of the new name is replaced
   */
  void move(WorkspacePath from, WorkspacePath to, boolean replaces, boolean dryRun) {
    of(
        from,
        () -> {
          requireName(from);
          requireName(to);
          if (from.holds(to)) {
            throw conflict(
                "%s cannot be moved to %s: that is itself, or below.".formatted(from, to));
          }
          try (ConfinedDirectory source = directory(from.parent())) {
            source.attributes(from.name());
            try (ConfinedDirectory target = directory(to.parent())) {
              if (!replaces && isThere(target, to.name())) {
                throw conflict("%s is there already.".formatted(to));
              }
              if (!dryRun) {
                source.rename(from.name(), target, to.name());
                quota.forget(from.user());
              }
            }
          }
          return true;
        });
  }

  private static boolean isThere(ConfinedDirectory directory, String name) throws IOException {
    try {
      directory.attributes(name);
      return true;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  /**
   * Deletes a file or directory.
   *
   * @param recursive also a directory in which something is
   */
  void delete(WorkspacePath path, boolean recursive) {
    of(
        path,
        () -> {
          requireName(path);
          try (ConfinedDirectory parent = directory(path.parent())) {
            if (recursive) {
              parent.deleteTree(path.name());
            } else {
              parent.delete(path.name());
            }
          } finally {
            quota.forget(path.user());
          }
          return true;
        });
  }

  // ---- helpers -------------------------------------------------------------------------------

  private Path root(WorkspacePath path) {
    return workspaces.of(path.user());
  }

  private ConfinedDirectory directory(WorkspacePath path) throws IOException {
    return ConfinedDirectory.open(root(path), path.below());
  }

  /** A directory, made with those above it. */
  private ConfinedDirectory made(WorkspacePath path) throws IOException {
    return made(ConfinedDirectory.open(workspaces.made(path.user()), Path.of("")), path.names());
  }

  /**
   * A directory, made with those above it.
   *
   * @param from where its names begin; closed
   */
  static ConfinedDirectory made(ConfinedDirectory from, List<String> names) throws IOException {
    ConfinedDirectory at = from;
    for (String name : names) {
      try (ConfinedDirectory above = at) {
        above.make(name);
        at = above.below(name);
      }
    }
    return at;
  }

  private static void requireName(WorkspacePath path) {
    if (path.isRoot()) {
      throw conflict(
          "%s itself is neither written nor moved nor deleted: name something in it."
              .formatted(path));
    }
  }

  static ProblemException conflict(String detail) {
    return new Problem.Conflict(detail).toException();
  }

  /** An operation on files. */
  @FunctionalInterface
  interface Operation<T> {
    T run() throws IOException;
  }

  /** Runs an operation; its failures as the person may know them. */
  static <T> T of(WorkspacePath path, Operation<T> operation) {
    try {
      return operation.run();
    } catch (NoSuchFileException e) {
      throw new Problem.NotFound("There is no %s.".formatted(path)).toException();
    } catch (DirectoryNotEmptyException e) {
      throw conflict("%s is a directory that is not empty.".formatted(path));
    } catch (ConfinedFile.Unfit e) {
      throw conflict("%s is not opened: %s.".formatted(path, e.getReason()));
    } catch (IOException e) {
      throw conflict("%s: %s.".formatted(path, FileFault.words(e)));
    }
  }
}
