package io.orrery.compute.batch;

import io.orrery.compute.attempt.OwnName;
import io.orrery.core.id.AttemptRef;
import java.util.regex.Pattern;

/**
 * NNI's names of jobs, from the second attempt on with its number. Ids may have underscores of
 * their own, and then the names of two attempts would be the same.
 */
final class BatchName {
  private static final Pattern READING =
      Pattern.compile("nni_exp_(.+?)_trial_(.+?)(?:_a" + OwnName.NUMBER + ")?");

  private BatchName() {}

  static String of(AttemptRef attempt) {
    String name =
        "nni_exp_"
            + attempt.trial().experiment()
            + "_trial_"
            + attempt.trial().trial()
            + (attempt.number() == 1 ? "" : "_a" + attempt.number());
    return OwnName.tells(READING, name, attempt)
        ? name
        : name + "_" + OwnName.digest(attempt.toString());
  }
}
