package io.orrery.core.sql;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * The write-ahead log of SQLite as its file format describes it (sqlite.org/fileformat2.html,
 * sections 4.1 and 4.2, and sqlite.org/walformat.html for the index): enough to say whether the
 * frames that were committed once are still there. SQLite itself continues after the last whole
 * frame and reports nothing.
 */
final class WalFile {
  private static final int HEADER = 32;
  private static final int FRAME_HEADER = 24;
  private static final int INDEX_HEADER = 48;
  private static final int MAGIC = 0x377f0682;

  private WalFile() {}

  /**
   * The last commit of a log.
   *
   * @param salt1 one more with every new beginning of the log
   * @param frames how many there are, the first is 1
   * @param sum1 with sum2 the checksum over all of them
   */
  record Commit(int salt1, int salt2, int frames, int sum1, int sum2) {}

  /**
   * The last commit that the index in shared memory has; it is synced before it stands there.
   *
   * @return null when nothing is in the log, or a writer is at it right now
   */
  static @Nullable Commit committed(FileChannel index) throws IOException {
    ByteBuffer both = ByteBuffer.allocate(2 * INDEX_HEADER);
    while (both.hasRemaining() && index.read(both, both.position()) > 0) {
      // Two copies of the header: while one is written they differ.
    }
    if (both.hasRemaining()
        || !both.slice(0, INDEX_HEADER).equals(both.slice(INDEX_HEADER, INDEX_HEADER))) {
      return null;
    }
    both.order(ByteOrder.nativeOrder());
    int frames = both.getInt(16);
    int sum1 = both.getInt(24);
    int sum2 = both.getInt(28);
    both.order(ByteOrder.BIG_ENDIAN);
    return frames == 0 ? null : new Commit(both.getInt(32), both.getInt(36), frames, sum1, sum2);
  }

  /** The fault of a log that had a commit once, in words after its name; null when it has none. */
  static @Nullable String fault(Path log, Commit expected) throws IOException {
    if (!Files.exists(log)) {
      return "is missing";
    }
    try (FileChannel channel = FileChannel.open(log, StandardOpenOption.READ)) {
      ByteBuffer header = read(channel, 0, HEADER);
      if (header == null) {
        return "is cut at byte " + channel.size();
      }
      boolean big = (header.getInt(0) & 1) == 1;
      Sum sum = new Sum(big);
      sum.add(header.slice(0, 24));
      if ((header.getInt(0) & ~1) != MAGIC || !sum.is(header.getInt(24), header.getInt(28))) {
        return "is damaged at byte 0";
      }
      int generation = header.getInt(16) - expected.salt1();
      if (generation > 0) {
        // It was begun anew since, for which all of it had to be in the database.
        return null;
      }
      if (generation < 0 || header.getInt(20) != expected.salt2()) {
        return "is older than the last commit, or another database's";
      }
      return frames(channel, header, sum, expected);
    }
  }

  private static @Nullable String frames(
      FileChannel channel, ByteBuffer header, Sum sum, Commit expected) throws IOException {
    int length = FRAME_HEADER + header.getInt(8);
    for (int i = 0; i < expected.frames(); i++) {
      long at = HEADER + (long) i * length;
      ByteBuffer frame = read(channel, at, length);
      if (frame == null) {
        return "is cut at byte " + channel.size() + ", where more was committed";
      }
      sum.add(frame.slice(0, 8));
      sum.add(frame.slice(FRAME_HEADER, length - FRAME_HEADER));
      if (frame.getInt(8) != header.getInt(16)
          || frame.getInt(12) != header.getInt(20)
          || !sum.is(frame.getInt(16), frame.getInt(20))) {
        return "is damaged at byte " + at + ", behind which more was committed";
      }
    }
    return sum.is(expected.sum1(), expected.sum2()) ? null : "does not hold what was committed";
  }

  private static @Nullable ByteBuffer read(FileChannel channel, long at, int length)
      throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    while (bytes.hasRemaining()) {
      if (channel.read(bytes, at + bytes.position()) < 0) {
        return null;
      }
    }
    return bytes.flip();
  }

  /** The cumulative checksum over pairs of words. */
  private static final class Sum {
    private final ByteOrder order;
    private int first;
    private int second;

    Sum(boolean big) {
      this.order = big ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    }

    void add(ByteBuffer words) {
      words.order(order);
      for (int at = 0; at < words.capacity(); at += 2 * Integer.BYTES) {
        first += words.getInt(at) + second;
        second += words.getInt(at + Integer.BYTES) + first;
      }
    }

    boolean is(int one, int two) {
      return first == one && second == two;
    }
  }
}
