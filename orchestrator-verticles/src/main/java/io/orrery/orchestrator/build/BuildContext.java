package io.orrery.orchestrator.build;

import io.orrery.core.file.ConfinedFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Copies the context of a build, following no link, within a number of bytes. Blocks. */
final class BuildContext {
  private static final int MOST_FILES = 100_000;

  private BuildContext() {}

  /**
   * Copies a directory; what is neither file, link nor directory is left out.
   *
   * @param root no link itself
   * @throws BuildException when it is too large, or not there
   */
  static void copy(Path root, Path to, long most) throws IOException, BuildException {
    if (!Files.isDirectory(root)) {
      throw new BuildException("there is no directory for its context");
    }
    try {
      Files.walkFileTree(root, new Copy(root, to, most));
    } catch (TooLarge e) {
      throw new BuildException(
          "its context has more than %,d MB or %,d files: give it a directory of its own"
              .formatted(most >> 20, MOST_FILES));
    } catch (ConfinedFile.Unfit | NoSuchFileException e) {
      throw new BuildException("its context was changed while it was copied");
    }
  }

  /** The text of the Containerfile of a context; null when it has none. */
  static @Nullable String containerfile(Path context, int most) throws IOException {
    for (String name : new String[] {"Containerfile", "Dockerfile"}) {
      Path file = context.resolve(name);
      if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
        if (Files.size(file) > most) {
          throw new IOException(name + " has more than " + most + " bytes");
        }
        return Files.readString(file);
      }
    }
    return null;
  }

  private static final class TooLarge extends IOException {
    private static final long serialVersionUID = 1L;
  }

  private static final class Copy extends SimpleFileVisitor<Path> {
    private final Path from;
    private final Path to;
    private long left;
    private int files;

    Copy(Path from, Path to, long most) {
      this.from = from;
      this.to = to;
      this.left = most;
    }

    private Path there(Path path) {
      return to.resolve(from.relativize(path));
    }

    private void count() throws TooLarge {
      files++;
      if (files > MOST_FILES) {
        throw new TooLarge();
      }
    }

    @Override
    public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
        throws IOException {
      count();
      Files.createDirectories(there(directory));
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      count();
      if (attributes.isSymbolicLink()) {
        Files.createSymbolicLink(there(file), Files.readSymbolicLink(file));
      } else if (attributes.isRegularFile()) {
        try (FileChannel in = ConfinedFile.open(from, file);
            FileChannel out =
                FileChannel.open(
                    there(file), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
          long size = in.size();
          left -= size;
          if (left < 0) {
            throw new TooLarge();
          }
          long done = 0;
          while (done < size) {
            long more = in.transferTo(done, size - done, out);
            if (more <= 0) {
              break;
            }
            done += more;
          }
        }
        Set<PosixFilePermission> mode =
            new HashSet<>(Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS));
        mode.add(PosixFilePermission.OWNER_READ);
        Files.setPosixFilePermissions(there(file), mode);
      }
      return FileVisitResult.CONTINUE;
    }
  }
}
