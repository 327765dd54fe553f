package io.orrery.compute.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The claims on one run of a program, of which one may run it: a row of files {@code claim-1},
 * {@code claim-2}, … in a directory, each created once, atomically, by the wrapper or the server.
 *
 * <p>A server that is killed may leave a wrapper behind that has not run yet: it was forked, and
 * then the machine was busy. The next server cannot see it among all processes with certainty, so
 * it must decide without knowing whether it exists. Every launch therefore has a number, and each
 * wrapper is told its own. A wrapper creates the claim of its number before it starts the command,
 * and goes away when that claim is there already. The server moves on from a number only by
 * creating its claim itself, with a word in it:
 *
 * <ul>
 *   <li>{@code revoked}: no wrapper of this number will ever run; a later submission launches the
 *       next number. A server does this before it says that nothing of an earlier server will run.
 *   <li>{@code canceled}: no wrapper of this number will ever run, and there is no next one.
 * </ul>
 *
 * <p>So for a number either one wrapper or the server wins, never both, whatever the order; and
 * launching a number twice (a submission repeated by a server that lost its memory) starts two
 * wrappers of which one runs the command. At most the last claim of the row belongs to a wrapper:
 * the next number is used only after this one was revoked. At most one command runs.
 *
 * <p>The server's claims appear together with their word (a hard link); a wrapper's is empty for
 * the moment between its creation and its content. An empty claim is hence always a wrapper's.
 */
public final class LaunchClaims {
  private static final Pattern HELD = Pattern.compile("(\\d+) (\\d+)(?: (\\S+))?\\s*");

  private final Path directory;

  LaunchClaims(Path directory) {
    this.directory = directory;
  }

  /** The content of the row of claims. */
  public sealed interface Claim {}

  /** A number that is not claimed yet; a wrapper of it may be under way. */
  public record Free(int number) implements Claim {}

  /** A wrapper has just claimed it and has not yet written who it is. */
  public record Unsigned(FileTime at) implements Claim {}

  /**
   * A wrapper runs the command, or has run it.
   *
   * @param pid also its session and its process group
   * @param startTime in clock ticks since the machine's start: with the pid it names one process
   * @param boot the name of that start of the machine, {@link Processes#BOOT}; {@link
   *     Processes#NO_BOOT} when it is not known, as on systems that give it no name
   */
  public record Taken(long pid, long startTime, String boot, FileTime at) implements Claim {
    /** Whether the machine was started again since, so that the numbers mean nothing any more. */
    public boolean isOfAnotherBoot() {
      return !boot.equals(Processes.NO_BOOT)
          && !Processes.BOOT.equals(Processes.NO_BOOT)
          && !boot.equals(Processes.BOOT);
    }

    /** Whether this very wrapper lives. */
    public boolean isAlive() {
      return !isOfAnotherBoot() && Processes.isAlive(pid, startTime);
    }
  }

  /** A program that was cancelled before it started. */
  public record Canceled() implements Claim {}

  /** Reads the row. */
  public Claim current() throws IOException {
    for (int number = 1; ; number++) {
      Path file = file(number);
      FileTime at = WrapperDirectory.changed(file);
      if (at == null) {
        return new Free(number);
      }
      String text = WrapperDirectory.shortText(file);
      if (text == null) {
        return new Free(number);
      }
      if (text.equals("revoked")) {
        continue;
      }
      if (text.equals("canceled")) {
        return new Canceled();
      }
      Matcher held = HELD.matcher(text);
      return held.matches()
          ? new Taken(
              Long.parseLong(held.group(1)),
              Long.parseLong(held.group(2)),
              Objects.requireNonNullElse(held.group(3), Processes.NO_BOOT),
              at)
          : new Unsigned(at);
    }
  }

  /** Makes sure that no wrapper of this number ever runs; false when one has claimed it. */
  public boolean revoke(Free free) throws IOException {
    return claim(free, "revoked");
  }

  /** Makes sure that the program never starts; false when a wrapper has claimed it. */
  public boolean cancel(Free free) throws IOException {
    return claim(free, "canceled");
  }

  private boolean claim(Free free, String word) throws IOException {
    Path draft = Files.createTempFile(directory, "claim", null);
    try {
      Files.write(draft, word.getBytes(StandardCharsets.US_ASCII));
      Files.createLink(file(free.number()), draft);
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    } finally {
      Files.delete(draft);
    }
  }

  private Path file(int number) {
    return directory.resolve("claim-" + number);
  }
}
