package io.orrery.metrics.store;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.file.LaggingMark;
import io.orrery.core.file.MarkFile;
import io.orrery.core.file.SyncedFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of the log. Each is named by the offset at which it begins, so the offset of a frame is
 * its place in the file added to the file's name.
 */
final class SegmentFiles implements Segments {
  private static final Logger LOG = LoggerFactory.getLogger(SegmentFiles.class);
  private static final String SUFFIX = ".log";
  private static final String MARK = "mark";

  private final Path directory;
  private @Nullable FileChannel channel;
  private @Nullable MarkFile mark;
  private @Nullable LaggingMark lagging;
  private volatile @Nullable LogMark latest;

  SegmentFiles(Path directory) throws IOException {
    this.directory = directory;
    Files.createDirectories(directory);
  }

  @Override
  public boolean isMarked() {
    return true;
  }

  @Override
  public @Nullable LogMark mark() throws IOException {
    Path file = directory.resolve(MARK);
    MarkFile.Found found = MarkFile.read(file);
    if (found instanceof MarkFile.Found.Known(JsonNode record)) {
      return LogMark.of(record);
    }
    if (!all().isEmpty()) {
      LOG.warn(
          "could not use mark {}: it {}; the length of the metric log is unchecked",
          file,
          found instanceof MarkFile.Found.Damaged
              ? "is damaged"
              : "is missing (or the log is of an earlier version)");
    }
    return null;
  }

  @Override
  public void advance(LogMark now) {
    latest = now;
    if (lagging != null) {
      lagging.advance();
    }
  }

  @Override
  public String name(long segment) {
    return path(segment).toString();
  }

  @Override
  public String remedy() {
    return "restore the file from a backup, or delete "
        + directory.resolve(MARK)
        + " to go on with what is there";
  }

  /** From now on what is told is written down; before that the mark of the last time stays. */
  private void keepMark() throws IOException {
    if (mark == null) {
      MarkFile file = MarkFile.open(directory.resolve(MARK));
      mark = file;
      lagging =
          new LaggingMark(
              file,
              () -> {
                LogMark now = latest;
                return now == null ? null : now.toJson();
              });
    }
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
    keepMark();
    FileChannel next =
        FileChannel.open(path(segment), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    try {
      SyncedFile.syncNames(directory);
    } catch (IOException e) {
      // One that is left behind empty would be taken for the end of the one before.
      next.close();
      Files.deleteIfExists(path(segment));
      throw e;
    }
    closeFile();
    channel = next;
  }

  @Override
  public void reopen(long segment, long length) throws IOException {
    keepMark();
    closeFile();
    FileChannel again = FileChannel.open(path(segment), StandardOpenOption.WRITE);
    channel = again;
    if (again.size() > length) {
      again.truncate(length);
    }
    // What a killed process has written and not synced counts from now on.
    again.force(true);
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

  /** Leaves the mark where the log ends, on the disk. */
  @Override
  public void close() throws IOException {
    closeFile();
    MarkFile file = mark;
    if (file != null && lagging != null) {
      lagging.stop();
      LogMark now = latest;
      if (now != null) {
        file.writeDurably(now.toJson());
      }
      file.close();
      mark = null;
      lagging = null;
    }
  }

  private void closeFile() throws IOException {
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
