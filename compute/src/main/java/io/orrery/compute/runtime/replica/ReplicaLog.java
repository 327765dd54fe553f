package io.orrery.compute.runtime.replica;

import io.orrery.compute.attempt.FilePiece;
import io.orrery.core.bus.contract.Trials.LogPiece;
import io.orrery.core.file.ConfinedFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The log of one start of a program, which appends to a file. When that grows too large it is
 * copied and emptied; the program goes on appending. Offsets count from the first byte that the
 * program wrote: the name of the copy, {@code log.START-END}, says which bytes it has. Bytes that
 * are written between the end of the copy and the emptying are lost; no other step stands between.
 *
 * @param directory of the start
 */
public record ReplicaLog(Path directory) {
  private static final Pattern COPY = Pattern.compile("log\\.(\\d{1,18})-(\\d{1,18})");
  private static final int LINES = 20;
  private static final int LONGEST_LINE = 500;
  private static final int LAST_BYTES = 16 * 1024;

  /** The times that a copy is completed, so that a program without pause is rotated as well. */
  private static final int ROUNDS = 10;

  private static final LogPiece NOTHING = new LogPiece(new byte[0], 0, true);

  /** The file that the program appends to. */
  public Path file() {
    return directory.resolve("log");
  }

  /** The number of bytes that were written so far. */
  public long end() throws IOException {
    Copy copy = copy();
    return (copy == null ? 0 : copy.end) + file().toFile().length();
  }

  /** A copy of earlier bytes. */
  private record Copy(Path file, long start, long end) {}

  /**
   * Reads a piece, at most to the end of the copy or of the file.
   *
   * @param offset negative from the end; bytes that are gone are skipped
   * @param over whether nothing more will be written
   */
  public LogPiece read(long offset, int limit, boolean over) throws IOException {
    Copy copy = copy();
    long base = copy == null ? 0 : copy.end;
    try {
      long size = Files.size(file());
      long from = offset < 0 ? Math.max(0, base + size + offset) : offset;
      if (copy != null && from < base) {
        FilePiece piece =
            FilePiece.readConfined(directory, copy.file, Math.max(0, from - copy.start), limit);
        return new LogPiece(piece.bytes(), copy.start + piece.next(), false);
      }
      FilePiece piece = FilePiece.readConfined(directory, file(), Math.max(0, from - base), limit);
      return new LogPiece(piece.bytes(), base + piece.next(), over && piece.next() >= piece.size());
    } catch (NoSuchFileException none) {
      return over ? NOTHING : new LogPiece(NOTHING.bytes(), Math.max(0, offset), false);
    }
  }

  /** The last lines, as far as they are text, with a question mark for each control character. */
  public List<String> lastLines() {
    try {
      FilePiece piece = FilePiece.readConfined(directory, file(), -LAST_BYTES, LAST_BYTES);
      List<String> lines = new String(piece.bytes(), StandardCharsets.UTF_8).lines().toList();
      return lines.subList(Math.max(0, lines.size() - LINES), lines.size()).stream()
          .map(ReplicaLog::plain)
          .toList();
    } catch (IOException none) {
      return List.of();
    }
  }

  private static String plain(String line) {
    String text = line.replace('\t', ' ').replaceAll("\\p{Cntrl}", "?");
    return text.length() <= LONGEST_LINE ? text : text.substring(0, LONGEST_LINE) + "…";
  }

  /** Copies and empties the file when it is larger than this. */
  public void rotate(long largest) throws IOException {
    if (file().toFile().length() <= largest) {
      return;
    }
    Copy before = copy();
    long start = before == null ? 0 : before.end;
    Path draft = directory.resolve("log.new");
    try (FileChannel from = ConfinedFile.open(directory, file());
        FileChannel all = FileChannel.open(file(), StandardOpenOption.WRITE);
        FileChannel to =
            FileChannel.open(
                draft,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE)) {
      long done = rest(from, 0, to);
      Path copy = named(draft, start, start + done);
      // What was written while the copy got its name is copied as well.
      for (int round = 0; round < ROUNDS && from.size() > done; round++) {
        done += rest(from, done, to);
        copy = named(copy, start, start + done);
      }
      all.truncate(0);
    }
    if (before != null) {
      Files.delete(before.file);
    }
  }

  private static long rest(FileChannel from, long start, FileChannel to) throws IOException {
    long done = start;
    for (long copied = 1; copied > 0; done += copied) {
      copied = from.transferTo(done, Long.MAX_VALUE, to);
    }
    return done - start;
  }

  private Path named(Path file, long start, long end) throws IOException {
    return Files.move(
        file, directory.resolve("log." + start + "-" + end), StandardCopyOption.ATOMIC_MOVE);
  }

  /** The copy with the last bytes; null when there is none. */
  private @Nullable Copy copy() throws IOException {
    Copy last = null;
    try (DirectoryStream<Path> all = Files.newDirectoryStream(directory, "log.*")) {
      for (Path file : all) {
        Matcher name = COPY.matcher(file.getFileName().toString());
        if (name.matches()) {
          Copy copy = new Copy(file, Long.parseLong(name.group(1)), Long.parseLong(name.group(2)));
          last = last == null || copy.end > last.end ? copy : last;
        }
      }
    } catch (NoSuchFileException gone) {
      return null;
    }
    return last;
  }
}
