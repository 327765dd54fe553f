package io.orrery.core.file;

import io.orrery.core.digest.Sha256;
import io.orrery.core.problem.Problem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A small file of a home that must not disappear or change without a word. Beside it lies one with
 * {@code .sha256} behind its name: the digests that it may have, a line each.
 *
 * <p>Before a new content is written the digest of it joins that of the old one, so that a crash at
 * any moment leaves a file that fits. A file without digests is of an earlier version, or was put
 * there by hand, and is taken as it is.
 */
public final class KeptFile {
  private static final String ABSENT = "absent";

  private KeptFile() {}

  /** Writes it anew, as {@link AtomicFile} does: 0600, on the disk when this returns. */
  public static void write(Path file, byte[] content) throws IOException {
    String before = Files.exists(file) ? Sha256.hex(Files.readAllBytes(file)) : ABSENT;
    AtomicFile.write(digests(file), lines(before, Sha256.hex(content)));
    AtomicFile.write(file, content);
    AtomicFile.write(digests(file), lines(Sha256.hex(content)));
  }

  /**
   * Notes that a file is to be kept as it is, where nothing is noted yet.
   *
   * @param content what it holds
   */
  public static void adopt(Path file, byte[] content) throws IOException {
    if (!Files.exists(digests(file))) {
      AtomicFile.write(digests(file), lines(Sha256.hex(content)));
    }
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
      return content;
    }
    List<String> allowed = Files.readString(digests(file)).lines().toList();
    String found = content.map(Sha256::hex).orElse(ABSENT);
    if (!allowed.contains(found)) {
      throw new Problem.Conflict(
              "%s %s; put it back from a backup, or delete %s to %s"
                  .formatted(
                      file,
                      content.isEmpty()
                          ? "is missing"
                          : "is not what was written there (%d bytes): it is damaged, or another's"
                              .formatted(content.get().length),
                      digests(file),
                      content.isEmpty() ? "go on without it" : "take it as it is"))
          .toException();
    }
    return content;
  }

  /** Deletes both. */
  public static void delete(Path file) throws IOException {
    Files.deleteIfExists(digests(file));
    Files.deleteIfExists(file);
  }

  private static Path digests(Path file) {
    return file.resolveSibling(file.getFileName() + ".sha256");
  }

  private static byte[] lines(String... digests) {
    return (String.join("\n", digests) + "\n").getBytes(StandardCharsets.UTF_8);
  }
}
