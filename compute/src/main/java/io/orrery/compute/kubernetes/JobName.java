package io.orrery.compute.kubernetes;

import io.orrery.compute.attempt.OwnName;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * The names of the objects of an attempt in a cluster: NNI's names in lower case, since Kubernetes
 * takes no others (RFC 1123), and from the second attempt on with its number. Ids that this
 * changes, or that could be read in two ways, are told apart by a digest at the end.
 */
public final class JobName {
  /** Operators append role and index to it, and a pod's name is cut off after 63 characters. */
  private static final int LONGEST = 48;

  /** Of a dash and 8 digits, which stand for what is cut off. */
  private static final int SUM = 9;

  private static final Pattern FOREIGN = Pattern.compile("[^a-z0-9-]");
  private static final Pattern LAST_DASHES = Pattern.compile("-+$");

  private static final Pattern DASHED =
      Pattern.compile("nni-exp-(.+?)-trial-(.+?)(?:-a" + OwnName.NUMBER + ")?");

  private static final Pattern PLAIN =
      Pattern.compile("nniexp(.+?)trial(.+?)(?:a" + OwnName.NUMBER + ")?");

  /** A trial of ours may end like the number of an attempt, and is taken for a trial first. */
  private static final Pattern PLAIN_OF_OURS =
      Pattern.compile("nniexp(.+?)trial([a-z][a-z0-9]{4})(?:a" + OwnName.NUMBER + ")?");

  private JobName() {}

  /** {@code nni-exp-<experiment>-trial-<trial>}. */
  public static String dashed(AttemptRef attempt) {
    String name = whole(attempt);
    return OwnName.tells(DASHED, name, attempt)
        ? fitting(name)
        : distinct(name, "-", attempt.toString());
  }

  /** {@code nni-exp-<experiment>-<what>}: of what an experiment's attempts share. */
  public static String shared(ExperimentId experiment, String what) {
    String original = "nni-exp-" + experiment + "-" + what;
    String name = folded(original);
    // A Secret may be called like the job of an attempt.
    return name.equals(original) && !DASHED.matcher(name).matches()
        ? fitting(name)
        : distinct(name, "-", original);
  }

  /** {@code nniexp<experiment>trial<trial>}, for kinds that allow letters and digits only. */
  public static String plain(AttemptRef attempt) {
    String dashed = dashed(attempt);
    String name = dashed.replace("nni-exp-", "nniexp").replace("-trial-", "trial").replace("-", "");
    // One that is not whole ends with digits that tell it from others already.
    boolean told = !dashed.equals(whole(attempt)) || isRead(name, attempt);
    return told ? name : distinct(name, "", attempt.toString());
  }

  private static boolean isRead(String name, AttemptRef attempt) {
    Pattern reading = PLAIN_OF_OURS.matcher(name).matches() ? PLAIN_OF_OURS : PLAIN;
    return OwnName.tells(reading, name, attempt);
  }

  private static String whole(AttemptRef attempt) {
    return folded(
        "nni-exp-"
            + attempt.trial().experiment()
            + "-trial-"
            + attempt.trial().trial()
            + (attempt.number() == 1 ? "" : "-a" + attempt.number()));
  }

  private static String folded(String name) {
    String lower = FOREIGN.matcher(name.toLowerCase(Locale.ROOT)).replaceAll("-");
    return LAST_DASHES.matcher(lower).replaceFirst("");
  }

  private static String fitting(String name) {
    if (name.length() <= LONGEST) {
      return name;
    }
    CRC32C sum = new CRC32C();
    sum.update(name.getBytes(StandardCharsets.UTF_8));
    return name.substring(0, LONGEST - SUM) + "-" + "%08x".formatted(sum.getValue());
  }

  private static String distinct(String name, String separator, String original) {
    String begin = name.substring(0, Math.min(name.length(), LONGEST - SUM));
    return begin + separator + OwnName.digest(original);
  }
}
