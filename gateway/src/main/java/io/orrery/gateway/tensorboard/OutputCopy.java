package io.orrery.gateway.tensorboard;

import io.orrery.core.file.ConfinedFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A copy of the files that a trial has written for TensorBoard, brought up to date as they grow.
 *
 * <p>TensorBoard follows symbolic links, and a trial may put a link to any file of the server's
 * account into its directory. So TensorBoard is shown no directory in which a trial can write, but
 * this copy, which has no links: each file is opened with {@link ConfinedFile}. Copied are event
 * files, what lies in folders {@code plugins} (profiles), and the files of the projector; at most
 * 1,000 files of 1 GiB together, as long as 1 GiB is left on the disk. Blocks; thread safe.
 */
final class OutputCopy {
  private static final Logger LOG = LoggerFactory.getLogger(OutputCopy.class);

  private static final int MOST_FILES = 1_000;
  private static final int MOST_DEPTH = 32;
  private static final long MOST_BYTES = 1L << 30;
  private static final long LEAST_ROOM = 1L << 30;
  private static final int PIECE = 8 << 20;

  private final Path output;
  private final Path copy;

  /** How many bytes of each file have been copied, by its path below the output. */
  private final Map<String, Long> copied = new HashMap<>();

  private boolean full;

  /**
   * @param output the directory of a trial
   * @param copy where the copy is made; it need not be there
   */
  OutputCopy(Path output, Path copy) {
    this.output = output;
    this.copy = copy;
  }

  /** Whether it is a copy of this directory. */
  boolean isOf(Path directory) {
    return output.equals(directory);
  }

  /**
   * Copies what has been written since the last time. A file that cannot be read costs no other.
   *
   * @return how many files there are in the copy
   * @throws IOException when the copy cannot be written
   */
  synchronized int extend() throws IOException {
    for (Path file : files()) {
      try (FileChannel source = ConfinedFile.open(output, file)) {
        extend(source, output.relativize(file).toString());
      } catch (NoSuchFileException | AccessDeniedException | ConfinedFile.Unfit unfit) {
        LOG.debug("{} is not shown to TensorBoard: {}", file, unfit.getMessage());
      }
    }
    return copied.size();
  }

  private List<Path> files() throws IOException {
    List<Path> files = new ArrayList<>();
    if (!Files.isDirectory(output)) {
      return files;
    }
    // Links are not followed. One that takes a directory's place meanwhile is noticed at the
    // opening.
    Files.walkFileTree(
        output,
        Set.of(),
        MOST_DEPTH,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (attributes.isRegularFile() && isShown(output.relativize(file))) {
              files.add(file);
            }
            return files.size() < MOST_FILES ? FileVisitResult.CONTINUE : FileVisitResult.TERMINATE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException failure) {
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure) {
            return FileVisitResult.CONTINUE;
          }
        });
    return files;
  }

  private static boolean isShown(Path path) {
    String name = String.valueOf(path.getFileName());
    for (int i = 0; i < path.getNameCount() - 1; i++) {
      if (path.getName(i).toString().equals("plugins")) {
        return true;
      }
    }
    return name.contains("tfevents")
        || name.equals("projector_config.pbtxt")
        || name.equals("sprite.png")
        || name.endsWith(".tsv");
  }

  private void extend(FileChannel source, String path) throws IOException {
    long size = source.size();
    long before = copied.getOrDefault(path, 0L);
    // One that has become shorter is another file.
    long from = size < before ? 0 : before;
    if (size > from && hasRoom(size - from)) {
      append(source, copy.resolve(path), from, size);
      copied.put(path, size);
    }
  }

  private boolean hasRoom(long more) throws IOException {
    long total = copied.values().stream().mapToLong(Long::longValue).sum() + more;
    Files.createDirectories(copy);
    boolean fits =
        total <= MOST_BYTES && Files.getFileStore(copy).getUsableSpace() - more >= LEAST_ROOM;
    if (!fits && !full) {
      full = true;
      LOG.warn(
          "TensorBoard does not see all of {}: it is shown 1 GiB of a trial, and 1 GiB of the disk"
              + " is kept free",
          output);
    }
    return fits;
  }

  private static void append(FileChannel source, Path target, long from, long to)
      throws IOException {
    Path parent = target.getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    try (FileChannel out =
        FileChannel.open(target, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      out.truncate(from);
      out.position(from);
      long at = from;
      while (at < to) {
        long moved = source.transferTo(at, Math.min(PIECE, to - at), out);
        if (moved <= 0) {
          break;
        }
        at += moved;
      }
    }
  }
}
