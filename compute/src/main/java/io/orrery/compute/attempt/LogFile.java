package io.orrery.compute.attempt;

import io.orrery.core.bus.contract.Trials.LogPiece;
import io.orrery.core.bus.contract.Trials.Stream;
import io.orrery.core.file.ConfinedFile;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.problem.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Reads pieces of what attempts wrote. */
public final class LogFile {
  private static final byte[] NOTHING = {};

  private LogFile() {}

  /**
   * Reads a piece; an empty one while there is nothing (yet) from there on.
   *
   * @param directory of the attempt
   * @param offset byte to start from; negative counts from the end
   * @param limit most bytes, at most 1,048,576
   * @param over whether nothing more will be written
   * @throws io.orrery.core.problem.ProblemException NotFound when the attempt has no directory, or
   *     has put a link or anything else but a plain file in the place of this one
   */
  public static LogPiece read(
      Path directory, AttemptRef attempt, Stream stream, long offset, int limit, boolean over)
      throws IOException {
    if (!Files.isDirectory(directory)) {
      throw new Problem.NotFound("There are no files of " + attempt + " on this machine.")
          .toException();
    }
    Path file = directory.resolve(AttemptLayout.file(stream));
    try {
      FilePiece piece = FilePiece.readConfined(directory, file, offset, limit);
      return new LogPiece(piece.bytes(), piece.next(), over && piece.next() >= piece.size());
    } catch (NoSuchFileException notYet) {
      return new LogPiece(NOTHING, Math.max(0, offset), over);
    } catch (ConfinedFile.Unfit unfit) {
      throw new Problem.NotFound(
              "%s of %s is not shown: %s."
                  .formatted(file.getFileName(), attempt, unfit.getReason()))
          .toException();
    }
  }
}
