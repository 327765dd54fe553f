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

  /** The part that each text with such a name has. */
  public static final String MARK = "/" + DIRECTORY + "/";

  private static final int COMMIT_DIGITS = 12;
  private static final String FORM =
      "[A-Za-z0-9_-]{1,60}-[0-9a-f]{%d}-(\\d{8}-\\d{6})(?:-\\d{1,6})?".formatted(COMMIT_DIGITS);
  private static final Pattern WHOLE = Pattern.compile(FORM);
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

  /** The names as documents have them: {@code <user>/code/<name>}, whatever is before it. */
  public static final Pattern NAMES =
      Pattern.compile("([^/\"\\\\\\s]+/" + DIRECTORY + "/" + FORM + ")");

  private FetchedCode() {}

  /** The name of a directory in the workspace of a user, without a number for a second one. */
  public static String name(CodeRepository source, String commit, Instant at) {
    return "%s-%s-%s".formatted(source.name(), commit.substring(0, COMMIT_DIGITS), TIME.format(at));
  }

  /** The name of a directory as documents have it. */
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
