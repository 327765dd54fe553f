package io.orrery.orchestrator.platform.local;

import io.orrery.core.bus.contract.Trials.LogPiece;
import io.orrery.core.bus.contract.Trials.Stream;
import io.orrery.core.problem.Problem;
import io.orrery.core.trial.AttemptRef;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/** Reads pieces of what attempts wrote. */
final class LogFile {
  private static final int MOST = 1 << 20;
  private static final byte[] NOTHING = {};

  private LogFile() {}

  /**
   * @param over whether nothing more will be written
   */
  static LogPiece read(
      AttemptFiles files, AttemptRef attempt, Stream stream, long offset, int limit, boolean over)
      throws IOException {
    if (!Files.isDirectory(files.directory())) {
      throw new Problem.NotFound("There are no files of " + attempt + " on this machine.")
          .toException();
    }
    Path file = files.log(stream);
    if (!Files.isRegularFile(file)) {
      return new LogPiece(NOTHING, Math.max(0, offset), over);
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long size = channel.size();
      long from = offset < 0 ? Math.max(0, size + offset) : offset;
      int wanted = Math.clamp(size - from, 0, Math.clamp(limit, 1, MOST));
      ByteBuffer piece = ByteBuffer.allocate(wanted);
      while (piece.hasRemaining() && channel.read(piece, from + piece.position()) >= 0) {
        // Reads until the piece is full or the file has ended.
      }
      byte[] bytes = Arrays.copyOf(piece.array(), piece.position());
      long next = from + bytes.length;
      return new LogPiece(bytes, next, over && next >= size);
    }
  }
}
