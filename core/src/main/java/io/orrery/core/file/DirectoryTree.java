package io.orrery.core.file;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** A directory with all that is in it. */
public final class DirectoryTree {
  private DirectoryTree() {}

  /**
   * Deletes it; a symbolic link within is deleted, never followed. Nothing to delete is no error.
   */
  public static void delete(Path root) throws IOException {
    try {
      Files.walkFileTree(root, new Deletion());
    } catch (NoSuchFileException gone) {
      if (Files.exists(root)) {
        throw gone;
      }
    }
  }

  private static final class Deletion extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
        throws IOException {
      if (failure != null) {
        throw failure;
      }
      Files.deleteIfExists(directory);
      return FileVisitResult.CONTINUE;
    }
  }
}
