package io.orrery.compute.attempt;

import io.orrery.core.digest.Sha256;
import io.orrery.core.id.AttemptRef;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes job names that are unique among attempts. There is one way to read a name: it belongs to
 * the attempt that is read from it, and any other that would have it bears a digest of its ids. So
 * ids of ours, and most others, make a name without a digest.
 */
public final class OwnName {
  /** The end of a name that has the number of a later attempt, as a group. */
  public static final String NUMBER = "([2-9]|[1-9][0-9]+)";

  private OwnName() {}

  /**
   * Whether an attempt is what is read from a name.
   *
   * @param reading the groups are experiment, trial, and number from the second attempt on; one
   *     that does not match reads nothing
   */
  public static boolean tells(Pattern reading, String name, AttemptRef attempt) {
    Matcher read = reading.matcher(name);
    String number = attempt.number() == 1 ? null : Integer.toString(attempt.number());
    return read.matches()
        && read.group(1).equals(attempt.trial().experiment().value())
        && read.group(2).equals(attempt.trial().trial().value())
        && Objects.equals(read.group(3), number);
  }

  /**
   * 8 digits that tell it from others whose name would be the same.
   *
   * @param original what the name was made from, as nothing else is written
   */
  public static String digest(String original) {
    return Sha256.hex(original, 4);
  }
}
