package io.orrery.core.file;

import io.orrery.core.digest.Sha256;
import io.orrery.core.problem.Problem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A small file of a home whose loss or damage must be noticed. Beside it lies one with {@code
 * .sha256} after its name: the digests that it may have, a line each.
 *
 * <p>Before new content is written its digest is added to the old one, so that a crash at any
 * moment leaves a file that has one of its digests. A file without digests was written by an
 * earlier version or by a person, and is taken as it is. The {@link HomeList} of a home has the
 * names of all such files, so that a file that is gone together with its digests is noticed.
 */
public final class KeptFile {
  /** How the name of the file of digests ends. */
  static final String DIGESTS = ".sha256";

  private static final String ABSENT = "absent";

  private KeptFile() {}

  /** Writes it anew, as {@link DurableFile} does: 0600, on the disk when this returns. */
  public static void write(Path file, byte[] content) throws IOException {
    String before = Files.exists(file) ? Sha256.hex(Files.readAllBytes(file)) : ABSENT;
    DurableFile.write(digests(file), lines(before, Sha256.hex(content)));
    DurableFile.write(file, content);
    DurableFile.write(digests(file), lines(Sha256.hex(content)));
    HomeList.of(file).add(file);
  }

  /**
   * Notes that a file is to be kept as it is, where nothing is noted yet.
   *
   * @param content what it holds
   */
  public static void adopt(Path file, byte[] content) throws IOException {
    if (!Files.exists(digests(file))) {
      DurableFile.write(digests(file), lines(Sha256.hex(content)));
    }
    HomeList.of(file).add(file);
  }

  /**
   * Reads it; empty when there never was one.
   *
   * @throws io.orrery.core.problem.ProblemException Conflict when it is missing or is not what was
   *     written, with what to do
   */
  public static Optional<byte[]> read(Path file) throws IOException {
    Optional<byte[]> content =
        Files.exists(file) ? Optional.of(Files.readAllBytes(file)) : Optional.empty();
    if (!Files.exists(digests(file))) {
      if (content.isEmpty() && HomeList.of(file).has(file)) {
        throw missing(file).toException();
      }
      return content;
    }
    List<String> allowed = Files.readString(digests(file)).lines().toList();
    String found = content.map(Sha256::hex).orElse(ABSENT);
    if (!allowed.contains(found)) {
      throw content
          .<Problem>map(damaged -> notWhatWasWritten(file, damaged.length))
          .orElseGet(() -> missing(file))
          .toException();
    }
    return content;
  }

  private static Problem missing(Path file) {
    Path list = HomeList.of(file).file();
    String notes =
        Stream.of(digests(file), list, digests(list))
            .filter(Files::exists)
            .map(Path::toString)
            .collect(Collectors.joining(" and "));
    return new Problem.Conflict(
        "%s is missing; put it back from a backup, or delete %s to go on without it"
            .formatted(file, notes));
  }

  private static Problem notWhatWasWritten(Path file, int length) {
    return new Problem.Conflict(
        "%s is not what was written there (%d bytes): it is damaged, or another's; put it back from a backup, or delete %s to take it as it is"
            .formatted(file, length, digests(file)));
  }

  /** Deletes both. */
  public static void delete(Path file) throws IOException {
    HomeList.of(file).remove(file);
    Files.deleteIfExists(digests(file));
    Files.deleteIfExists(file);
  }

  private static Path digests(Path file) {
    return file.resolveSibling(file.getFileName() + DIGESTS);
  }

  private static byte[] lines(String... digests) {
    return (String.join("\n", digests) + "\n").getBytes(StandardCharsets.UTF_8);
  }
}
