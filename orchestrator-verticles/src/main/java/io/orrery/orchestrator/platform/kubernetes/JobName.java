package io.orrery.orchestrator.platform.kubernetes;

import io.orrery.core.experiment.ExperimentId;
import io.orrery.core.trial.AttemptRef;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * What the objects of an attempt are called in a cluster: NNI's names in lower case, since
 * Kubernetes takes no others (RFC 1123), and from the second attempt on with its number.
 */
public final class JobName {
  /** Operators append role and index to it, and a pod's name is cut off after 63 characters. */
  private static final int LONGEST = 48;

  private static final Pattern FOREIGN = Pattern.compile("[^a-z0-9-]");
  private static final Pattern LAST_DASHES = Pattern.compile("-+$");

  private JobName() {}

  /** {@code nni-exp-<experiment>-trial-<trial>}. */
  public static String dashed(AttemptRef attempt) {
    String name =
        "nni-exp-"
            + attempt.trial().experiment()
            + "-trial-"
            + attempt.trial().trial()
            + (attempt.number() == 1 ? "" : "-a" + attempt.number());
    return dashed(name);
  }

  /** {@code nni-exp-<experiment>-<what>}: of what an experiment's attempts share. */
  public static String shared(ExperimentId experiment, String what) {
    String name = "nni-exp-" + experiment + "-" + what;
    return dashed(name);
  }

  private static String dashed(String name) {
    return fitting(FOREIGN.matcher(name.toLowerCase(Locale.ROOT)).replaceAll("-"), "-");
  }

  /** {@code nniexp<experiment>trial<trial>}, for kinds that allow letters and digits only. */
  public static String plain(AttemptRef attempt) {
    return fitting(
        dashed(attempt).replace("nni-exp-", "nniexp").replace("-trial-", "trial").replace("-", ""),
        "");
  }

  private static String fitting(String name, String separator) {
    if (name.length() <= LONGEST) {
      return LAST_DASHES.matcher(name).replaceFirst("");
    }
    CRC32C sum = new CRC32C();
    sum.update(name.getBytes(StandardCharsets.UTF_8));
    return name.substring(0, LONGEST - 9) + separator + "%08x".formatted(sum.getValue());
  }
}
