package io.orrery.compute.attempt;

import io.orrery.core.file.ConfinedFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * A piece of a file.
 *
 * @param from where it begins
 * @param size bytes of the whole file
 */
public record FilePiece(byte[] bytes, long from, long size) {
  private static final int MOST = 1 << 20;

  /**
   * Reads one; empty behind the end.
   *
   * @param offset byte to start from; negative counts from the end
   * @param limit most bytes; 1 to 1,048,576, others are taken for the nearest of these
   */
  public static FilePiece read(Path file, long offset, int limit) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return read(channel, offset, limit);
    }
  }

  /**
   * Reads one of a file that a trial may have put there; links are not followed.
   *
   * @param directory of the trial, which the file is below
   * @throws ConfinedFile.Unfit when it is a link or anything else but a plain file
   */
  public static FilePiece readConfined(Path directory, Path file, long offset, int limit)
      throws IOException {
    try (FileChannel channel = ConfinedFile.open(directory, file)) {
      return read(channel, offset, limit);
    }
  }

  private static FilePiece read(FileChannel channel, long offset, int limit) throws IOException {
    long size = channel.size();
    long from = offset < 0 ? Math.max(0, size + offset) : offset;
    ByteBuffer piece = ByteBuffer.allocate(Math.clamp(size - from, 0, Math.clamp(limit, 1, MOST)));
    while (piece.hasRemaining() && channel.read(piece, from + piece.position()) >= 0) {
      // Reads until the piece is full or the file has ended.
    }
    return new FilePiece(Arrays.copyOf(piece.array(), piece.position()), from, size);
  }

  /** The offset after the last byte. */
  public long next() {
    return from + bytes.length;
  }
}
