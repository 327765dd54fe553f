package io.orrery.metrics.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The files of the log. Each is named by the offset at which it begins, so the offset of a frame is
 * its place in the file added to the file's name.
 */
final class SegmentFiles implements Segments {
  private static final String SUFFIX = ".log";

  private final Path directory;
  private @Nullable FileChannel channel;

  SegmentFiles(Path directory) throws IOException {
    this.directory = directory;
    Files.createDirectories(directory);
  }

  private Path path(long segment) {
    return directory.resolve("%019d".formatted(segment) + SUFFIX);
  }

  @Override
  public List<Long> all() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(SUFFIX))
          .map(name -> Long.valueOf(name.substring(0, name.length() - SUFFIX.length())))
          .sorted()
          .toList();
    }
  }

  /** Makes the file's name durable as well: points in a file without a name would be lost. */
  @Override
  public void begin(long segment) throws IOException {
    FileChannel next =
        FileChannel.open(path(segment), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
      names.force(true);
    } catch (IOException e) {
      // One that is left behind empty would be taken for the end of the one before.
      next.close();
      Files.deleteIfExists(path(segment));
      throw e;
    }
    close();
    channel = next;
  }

  @Override
  public void reopen(long segment, long length) throws IOException {
    close();
    FileChannel again = FileChannel.open(path(segment), StandardOpenOption.WRITE);
    channel = again;
    if (again.size() > length) {
      again.truncate(length);
      again.force(true);
    }
    again.position(length);
  }

  @Override
  public void append(byte[] frame, int length, long offset) throws IOException {
    FileChannel file = channel;
    if (file == null) {
      throw new IllegalStateException("the log is not open");
    }
    ByteBuffer bytes = ByteBuffer.wrap(frame, 0, length);
    while (bytes.hasRemaining()) {
      file.write(bytes);
    }
    file.force(false);
  }

  @Override
  public Reader read(long segment, long from) throws IOException {
    return new Frames(path(segment), segment, from);
  }

  @Override
  public void close() throws IOException {
    if (channel != null) {
      channel.close();
      channel = null;
    }
  }

  @Override
  public void deleteBefore(long moved, int kept) throws IOException {
    List<Long> done = all().stream().filter(segment -> segment < moved).toList();
    for (long segment : done.subList(0, Math.max(0, done.size() - kept))) {
      Files.deleteIfExists(path(segment));
    }
  }
}
