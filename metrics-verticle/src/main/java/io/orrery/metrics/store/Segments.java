package io.orrery.metrics.store;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The storage of frames in segments, which are named by the offset at which they begin. Only the
 * writer thread calls {@link #begin}, {@link #append} and {@link #reopen}. Every call may block.
 */
interface Segments extends Closeable {
  /** Whether a mark of the durable end is kept beside them. */
  boolean isMarked();

  /** The mark that an earlier process has left; null when there is none. */
  @Nullable LogMark mark() throws IOException;

  /** Tells what is durable by now; costs nearly nothing, and is written down a moment later. */
  void advance(LogMark now);

  /** A segment in words. */
  String name(long segment);

  /** How to go on when one of them is damaged, in words. */
  String remedy();

  /** Where the segments begin, ascending. */
  List<Long> all() throws IOException;

  /** Begins a segment, to which frames are appended from now on. */
  void begin(long segment) throws IOException;

  /** Goes on with a segment of which only so many bytes are to count; what is behind is dropped. */
  void reopen(long segment, long length) throws IOException;

  /**
   * Appends a sealed frame to the segment that was begun or reopened last.
   *
   * @param offset where the frame begins in the log
   * @throws IOException when it is not known to be durable; to be reopened before the next append
   */
  void append(byte[] frame, int length, long offset) throws IOException;

  /** Reads the frames of a segment from an offset on; NoSuchFileException when it is gone. */
  Reader read(long segment, long from) throws IOException;

  /** Drops segments that have been moved, but for the newest few of them. */
  void deleteBefore(long moved, int kept) throws IOException;

  /** Frames, one after the other. */
  interface Reader extends Closeable {
    /** The body of the next frame; null where the whole ones end. */
    byte @Nullable [] next() throws IOException;

    /** The offset behind the last frame that was read. */
    long offset();

    /** The checksum of the body of that frame. */
    int checksum();

    /**
     * Checks, where the whole frames end, that nothing was acknowledged behind.
     *
     * @param last whether this is the newest segment, the only one that may have a torn tail
     * @return the bytes of that torn tail
     */
    long checkEnd(boolean last) throws IOException;
  }
}
