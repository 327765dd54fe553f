package io.orrery.compute.local;

import io.orrery.core.file.ConfinedFile;
import io.orrery.core.metric.MetricPoint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reads a growing file from its beginning, a chunk at a time, and hands the bytes to a decoder.
 * Holds what the decoder has not taken yet and at most a chunk more. Not thread safe.
 */
final class FileTailReader {
  private static final int CHUNK = 512 * 1024;
  private static final byte[] NOTHING = {};

  private final Path directory;
  private final Path file;
  private final Decoder decoder;
  private long position;
  private byte[] bytes = NOTHING;
  private int length;

  /**
   * @param directory of the trial, which the file is below
   */
  FileTailReader(Path directory, Path file, Decoder decoder) {
    this.directory = directory;
    this.file = file;
    this.decoder = decoder;
  }

  /** Finds reported values in bytes. */
  interface Decoder {
    /**
     * Takes what is complete.
     *
     * @param length how many of the bytes count
     * @param atEnd whether nothing will follow, so that all must be taken
     * @param into where the points go
     * @return how many bytes were taken; the others come again, with more behind them
     */
    int decode(byte[] bytes, int length, boolean atEnd, List<MetricPoint> into);
  }

  /**
   * Reads on until there are points or nothing is left of what the file held when this was called:
   * a trial that writes faster than it is read has no end, and would never be looked at again.
   *
   * @param atEnd whether the file is complete
   */
  List<MetricPoint> next(boolean atEnd) throws IOException {
    List<MetricPoint> points = new ArrayList<>();
    long end = available();
    boolean more = true;
    while (points.isEmpty() && more) {
      more = readChunk(end);
      if (length > 0) {
        int taken = decoder.decode(bytes, length, atEnd && !more, points);
        length -= taken;
        bytes =
            length == 0
                ? NOTHING
                : taken == 0 ? bytes : Arrays.copyOfRange(bytes, taken, taken + length);
      }
    }
    return points;
  }

  /** False when the end was reached. */
  private boolean readChunk(long end) throws IOException {
    if (end <= position) {
      return false;
    }
    int wanted = (int) Math.min(CHUNK, end - position);
    if (bytes.length < length + wanted) {
      bytes = Arrays.copyOf(bytes, length + wanted);
    }
    try (FileChannel channel = ConfinedFile.open(directory, file)) {
      int read = channel.read(ByteBuffer.wrap(bytes, length, wanted), position);
      if (read <= 0) {
        return false;
      }
      length += read;
      position += read;
      return true;
    } catch (NoSuchFileException | ConfinedFile.Unfit replaced) {
      return false;
    }
  }

  /**
   * Up to where there are bytes. A trial may put anything in the place of the file; what is not a
   * plain one has none.
   */
  private long available() throws IOException {
    if (file.toFile().length() <= position) {
      return position;
    }
    try {
      BasicFileAttributes found =
          Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      return found.isRegularFile() ? found.size() : 0;
    } catch (NoSuchFileException e) {
      return 0;
    }
  }
}
