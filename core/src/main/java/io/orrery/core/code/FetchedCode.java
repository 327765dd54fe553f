package io.orrery.core.code;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The names of directories of code that was fetched from Git into a workspace, each with the commit
 * and the second: {@code code/<repository>-<commit>-<yyyyMMdd-HHmmss>}.
 */
public final class FetchedCode {
  /** The directory of a workspace in which they are. */
  public static final String DIRECTORY = "code";

  private static final int COMMIT_DIGITS = 12;

  /** A pattern of SQL's {@code like} for the end of such a name: commit, day and time of day. */
  public static final String MARK =
      "-%s-%s-%s".formatted("_".repeat(COMMIT_DIGITS), "_".repeat(8), "_".repeat(6));

  private static final String FORM =
      "[A-Za-z0-9_-]{1,60}-[0-9a-f]{%d}-(\\d{8}-\\d{6})(?:-\\d{1,6})?".formatted(COMMIT_DIGITS);
  private static final Pattern WHOLE = Pattern.compile(FORM);
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

  /**
   * The names of directories in texts, wherever they stand: after a path, an option, a quotation
   * mark or nothing. The user is not among it, since a command may name the directory from its own.
   * Each place of a text is tried, so that letters in front of a name, such as those of the escape
   * {@code \n}, do not hide it.
   */
  public static final Pattern NAMES = Pattern.compile("(?=(" + FORM + "))");

  private FetchedCode() {}

  /** The name of a directory in the workspace of a user, without a number for a second one. */
  public static String name(CodeRepository source, String commit, Instant at) {
    return "%s-%s-%s".formatted(source.name(), commit.substring(0, COMMIT_DIGITS), TIME.format(at));
  }

  /** The path of a directory below all workspaces. */
  public static String name(String user, String directory) {
    return user + "/" + DIRECTORY + "/" + directory;
  }

  /** The second in which a directory was fetched; empty for another name. */
  public static Optional<Instant> fetchedAt(String directory) {
    Matcher whole = WHOLE.matcher(directory);
    try {
      return whole.matches()
          ? Optional.of(TIME.parse(whole.group(1), Instant::from))
          : Optional.empty();
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
