package io.orrery.orchestrator.run;

import io.orrery.core.file.SyncedFile;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A directory with a file {@code <2 digits>/<digest>} for each content. */
final class DirectoryPlace implements ArtifactPlace {
  private static final Pattern FOLDER = Pattern.compile("[0-9a-f]{2}");

  private final Path root;

  DirectoryPlace(Path root) {
    this.root = root;
  }

  @Override
  public void check() throws IOException {
    Files.createDirectories(root);
    if (!Files.isWritable(root)) {
      throw new AccessDeniedException(root.toString());
    }
  }

  @Override
  public void close() {
    // A directory is not open.
  }

  @Override
  public Path drafts() {
    return root;
  }

  @Override
  public synchronized void keep(Path draft, String digest) throws IOException {
    Path file = file(digest);
    Path folder = Objects.requireNonNull(file.getParent());
    Files.createDirectories(folder);
    SyncedFile.move(draft, file);
    SyncedFile.syncNames(root);
  }

  @Override
  public InputStream open(String digest) throws IOException {
    return new BufferedInputStream(Files.newInputStream(file(digest)));
  }

  @Override
  public byte[] read(String digest, long offset, int limit) throws IOException {
    try (FileChannel channel = FileChannel.open(file(digest), StandardOpenOption.READ)) {
      long left = Math.max(0, channel.size() - offset);
      ByteBuffer piece = ByteBuffer.allocate((int) Math.min(limit, left));
      while (piece.hasRemaining() && channel.read(piece, offset + piece.position()) > 0) {
        // Goes on until the piece is full.
      }
      return Arrays.copyOf(piece.array(), piece.position());
    }
  }

  @Override
  public boolean has(String digest) {
    return Files.isRegularFile(file(digest));
  }

  @Override
  public synchronized boolean discard(String digest, Instant before) throws IOException {
    Path file = file(digest);
    if (Files.exists(file) && !Files.getLastModifiedTime(file).toInstant().isBefore(before)) {
      return false;
    }
    Files.deleteIfExists(file);
    return true;
  }

  /**
   * The names of some contents, in their order.
   *
   * @param after the name before the first one; null for all
   * @param before those that were kept, or kept again, later are left out
   */
  Names names(@Nullable String after, Instant before) throws IOException {
    for (String folder : sorted(root)) {
      if (FOLDER.matcher(folder).matches()
          && (after == null || folder.compareTo(after.substring(0, 2)) > 0)) {
        List<String> old = new ArrayList<>();
        for (String name : sorted(root.resolve(folder))) {
          if (Files.getLastModifiedTime(root.resolve(folder).resolve(name))
              .toInstant()
              .isBefore(before)) {
            old.add(name);
          }
        }
        return new Names(old, folder);
      }
    }
    return new Names(List.of(), null);
  }

  /**
   * A part of all names.
   *
   * @param last after which the next part begins; null when this is the last one
   */
  record Names(List<String> old, @Nullable String last) {
    public Names {
      old = List.copyOf(old);
    }
  }

  private static List<String> sorted(Path directory) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.map(path -> Objects.requireNonNull(path.getFileName()).toString())
          .sorted()
          .toList();
    } catch (NoSuchFileException none) {
      return List.of();
    }
  }

  private Path file(String digest) {
    return root.resolve(digest.substring(0, 2)).resolve(digest);
  }
}
