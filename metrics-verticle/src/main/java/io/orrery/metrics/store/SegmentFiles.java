package io.orrery.metrics.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/**
 * The files of the log. Each is named by the offset at which it begins, so the offset of a frame is
 * its place in the file added to the file's name.
 */
final class SegmentFiles {
  private static final String SUFFIX = ".log";

  private final Path directory;

  SegmentFiles(Path directory) throws IOException {
    this.directory = directory;
    Files.createDirectories(directory);
  }

  Path path(long segment) {
    return directory.resolve("%019d".formatted(segment) + SUFFIX);
  }

  /** Where the files begin, ascending. */
  List<Long> segments() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(SUFFIX))
          .map(name -> Long.valueOf(name.substring(0, name.length() - SUFFIX.length())))
          .sorted()
          .toList();
    }
  }

  /** Begins a file, and makes its name durable: points in a file without a name would be lost. */
  FileChannel create(long segment) throws IOException {
    FileChannel channel =
        FileChannel.open(path(segment), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
      names.force(true);
    } catch (IOException e) {
      // One that is left behind empty would be taken for the end of the one before.
      channel.close();
      Files.deleteIfExists(path(segment));
      throw e;
    }
    return channel;
  }

  /** Opens the last file to go on writing, after cutting off what stands behind a length. */
  FileChannel reopen(long segment, long length) throws IOException {
    FileChannel channel = FileChannel.open(path(segment), StandardOpenOption.WRITE);
    if (channel.size() > length) {
      channel.truncate(length);
      channel.force(true);
    }
    channel.position(length);
    return channel;
  }

  /** Deletes files that have been moved, but for the newest few of them. */
  void deleteBefore(long moved, int kept) throws IOException {
    List<Long> done = segments().stream().filter(segment -> segment < moved).toList();
    for (long segment : done.subList(0, Math.max(0, done.size() - kept))) {
      Files.deleteIfExists(path(segment));
    }
  }
}
