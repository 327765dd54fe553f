package io.orrery.core.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A directory below one in which an untrusted program writes, opened without following links, as
 * {@link ConfinedFile} opens files. It stays the same directory, whatever has its name meanwhile,
 * and what is done to a name in it follows no link either. Blocks; to be closed.
 */
public final class ConfinedDirectory implements AutoCloseable {
  private static final int MOST_DEPTH = 200;

  private final int descriptor;
  private boolean closed;

  private ConfinedDirectory(int descriptor) {
    this.descriptor = descriptor;
  }

  /**
   * Opens a directory.
   *
   * @param root no link itself; the directories above it are trusted
   * @param names the way below it; empty for the root
   * @throws java.nio.file.NoSuchFileException when it is not there
   * @throws ConfinedFile.Unfit when it, or a directory on the way to it, is a link or none
   */
  public static ConfinedDirectory open(Path root, Path names) throws IOException {
    Path normal = names.normalize();
    if (names.isAbsolute() || normal.startsWith("..") || !normal.equals(names)) {
      throw new ConfinedFile.Unfit(names, "it is not below " + root);
    }
    return new ConfinedDirectory(ConfinedFile.descend(root, names, root.resolve(names), true));
  }

  /** The path of the directory for this process, for as long as it is open. */
  public Path path() {
    if (closed) {
      throw new IllegalStateException("the directory is closed");
    }
    return ConfinedFile.shown(descriptor);
  }

  /** The attributes of a name in it; those of a symbolic link itself. */
  public BasicFileAttributes attributes(String name) throws IOException {
    return Files.readAttributes(at(name), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * The last change of a name in it, of its contents, its owner, its rights or its name, by the
   * clock of the machine. Programs cannot set it, as they set the time of a modification.
   */
  public Instant changedAt(String name) throws IOException {
    Object at = Files.getAttribute(at(name), "unix:ctime", LinkOption.NOFOLLOW_LINKS);
    return ((FileTime) Objects.requireNonNull(at)).toInstant();
  }

  /** Makes a directory in it; false when the name was taken. */
  public boolean make(String name) throws IOException {
    try {
      Files.createDirectory(
          at(name),
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    }
  }

  /** Makes a file in it, whose name must be free. To be closed. */
  public FileChannel create(String name) throws IOException {
    return FileChannel.open(
        at(name),
        StandardOpenOption.CREATE_NEW,
        StandardOpenOption.WRITE,
        LinkOption.NOFOLLOW_LINKS);
  }

  /** Makes a file in it, whose name must be free, for programs to run or not. To be closed. */
  public FileChannel create(String name, boolean executable) throws IOException {
    return FileChannel.open(
        at(name),
        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS),
        PosixFilePermissions.asFileAttribute(
            PosixFilePermissions.fromString(executable ? "rwxr-xr-x" : "rw-r--r--")));
  }

  /** Renames a name of it in one step, in the place of what has the other name, if anything has. */
  public void rename(String name, ConfinedDirectory target, String to) throws IOException {
    Files.move(at(name), target.at(to), StandardCopyOption.ATOMIC_MOVE);
  }

  /** Deletes a file, a link, or an empty directory. */
  public void delete(String name) throws IOException {
    Files.delete(at(name));
  }

  /** A directory in it. */
  public ConfinedDirectory below(String name) throws IOException {
    at(name);
    return new ConfinedDirectory(ConfinedFile.directoryAt(descriptor, name));
  }

  /**
   * Deletes a name of it and all below. Directories are opened without following links, however
   * they are changed meanwhile.
   *
   * @throws FileSystemException when there are more than {@value #MOST_DEPTH} directories in each
   *     other
   */
  public void deleteTree(String name) throws IOException {
    deleteTree(name, 0);
  }

  private void deleteTree(String name, int depth) throws IOException {
    if (attributes(name).isDirectory()) {
      if (depth >= MOST_DEPTH) {
        throw new FileSystemException(name, null, "directories lie too deep in each other");
      }
      try (ConfinedDirectory below = below(name)) {
        for (String each : below.names()) {
          below.deleteTree(each, depth + 1);
        }
      }
    }
    delete(name);
  }

  /** The names in it, in no order. */
  public List<String> names() throws IOException {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(path())) {
      for (Path each : entries) {
        names.add(each.getFileName().toString());
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return names;
  }

  /**
   * The first names in it after one, in their order; however many there are, only these are held.
   *
   * @param after null for those from the first on
   * @param most 1 or more
   */
  public List<String> names(@Nullable String after, int most, Predicate<String> among)
      throws IOException {
    TreeSet<String> first = new TreeSet<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(path())) {
      for (Path each : entries) {
        String name = each.getFileName().toString();
        boolean fits =
            (after == null || name.compareTo(after) > 0)
                && (first.size() < most || name.compareTo(first.last()) < 0);
        if (fits && among.test(name)) {
          first.add(name);
          if (first.size() > most) {
            first.pollLast();
          }
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return List.copyOf(first);
  }

  /** The bytes of the files in it and below, each of its names counted. */
  public long bytes() throws IOException {
    return bytes(0);
  }

  private long bytes(int depth) throws IOException {
    long sum = 0;
    for (String name : names()) {
      try {
        BasicFileAttributes found = attributes(name);
        if (found.isRegularFile()) {
          sum += found.size();
        } else if (found.isDirectory() && depth < MOST_DEPTH) {
          try (ConfinedDirectory below = below(name)) {
            sum += below.bytes(depth + 1);
          }
        }
      } catch (NoSuchFileException | ConfinedFile.Unfit e) {
        // It went, or became something else, while it was counted.
      }
    }
    return sum;
  }

  private Path at(String name) throws NotDirectoryException {
    Path only = Path.of(name);
    if (name.isEmpty()
        || only.isAbsolute()
        || only.getNameCount() != 1
        || name.equals("..")
        || name.equals(".")) {
      throw new NotDirectoryException(name);
    }
    return path().resolve(only);
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      ConfinedFile.close(descriptor);
    }
  }
}
