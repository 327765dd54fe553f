package io.orrery.core.style;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * A text file of the repository.
 *
 * @param path its path relative to the repository root, with forward slashes
 */
record SourceFile(String path, String text) {
  private static final Set<String> KINDS =
      Set.of("java", "md", "js", "py", "css", "html", "yml", "yaml", "sql");

  /** Build output, and the libraries of the page's tests. */
  private static final Set<String> SKIPPED = Set.of("target", "node_modules", "__pycache__");

  /**
   * Reads all source files and documents below the repository root, in the order of their paths.
   */
  static List<SourceFile> below(Path root) throws IOException {
    List<SourceFile> files = new ArrayList<>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            String name = folder.getFileName().toString();
            boolean skipped = SKIPPED.contains(name) || (name.startsWith(".") && name.length() > 2);
            return skipped && !folder.equals(root)
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (KINDS.contains(kind(file.getFileName().toString()))) {
              files.add(read(root, file));
            }
            return FileVisitResult.CONTINUE;
          }
        });
    files.sort(Comparator.comparing(SourceFile::path));
    return files;
  }

  private static SourceFile read(Path root, Path file) {
    try {
      String path = root.relativize(file).toString().replace('\\', '/');
      return new SourceFile(path, Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException("could not read " + file, e);
    }
  }

  /** The file's name without its folders. */
  String name() {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** The part of the name behind the last dot. */
  String kind() {
    return kind(name());
  }

  private static String kind(String name) {
    return name.substring(name.lastIndexOf('.') + 1);
  }

  boolean isJava() {
    return kind().equals("java");
  }
}
