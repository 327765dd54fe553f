package io.orrery.cli.backup;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Knows which files of a home a backup has. Left out is what belongs to a running server or is made
 * anew by the next: locks, unpacked libraries, marks of the durable end (which fit the originals
 * alone), digests beside small files, drafts of small files (they may be drafts of keys).
 */
final class HomeContent {
  static final String DATABASE = "orrery.db";
  static final String CHUNKS = "metrics/chunks.db";

  /** A reader of these can read the secrets in the database and log in as any user. */
  static final List<String> KEYS = List.of("secret", "secrets.key");

  private static final Set<String> OF_A_PROCESS =
      Set.of("lock", "server.json", "unpacked", "sdk", "health.tmp", "home.json");

  /** As {@link io.orrery.core.file.DurableFile} names what it has not put in place yet. */
  private static final Pattern DRAFT = Pattern.compile(".+-\\d+\\.new");

  private final Path home;

  HomeContent(Path home) {
    this.home = home;
  }

  /** The files of the metric log, by their paths below the home. */
  List<String> logFiles() throws IOException {
    return files().stream().filter(HomeContent::isLog).toList();
  }

  /** All other plain files. */
  List<String> otherFiles() throws IOException {
    return files().stream().filter(name -> !isLog(name)).toList();
  }

  private List<String> files() throws IOException {
    List<String> files = new ArrayList<>();
    Files.walkFileTree(
        home,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            return !folder.equals(home) && isOfAProcess(name(folder))
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            String name = name(file);
            if (attributes.isRegularFile() && !isOfAProcess(name) && !isDatabase(name)) {
              files.add(name);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException failure)
              throws IOException {
            if (Files.exists(file)) {
              throw failure;
            }
            // It was there a moment ago: a trial cleans up after itself.
            return FileVisitResult.CONTINUE;
          }
        });
    files.sort(null);
    return files;
  }

  private static boolean isLog(String name) {
    return name.startsWith("metrics/");
  }

  private String name(Path file) {
    return home.relativize(file).toString();
  }

  private static boolean isDatabase(String name) {
    return name.startsWith(DATABASE) || name.startsWith(CHUNKS);
  }

  private static boolean isOfAProcess(String name) {
    boolean ofTheHome = name.indexOf('/') < 0;
    return (ofTheHome
            && (OF_A_PROCESS.contains(name)
                || name.endsWith(".sha256")
                || DRAFT.matcher(name).matches()))
        || name.equals("metrics/mark");
  }
}
