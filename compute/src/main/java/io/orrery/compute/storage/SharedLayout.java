package io.orrery.compute.storage;

import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;

/** The layout of shared storage: NNI's, with slashes. */
final class SharedLayout {
  /** What a trial leaves, below its directory. */
  static final String OUTPUT = "nnioutput";

  private SharedLayout() {}

  static String code(ExperimentId experiment, String digest) {
    return "nni/" + experiment + "/code/" + digest + ".tar.gz";
  }

  /** That of an attempt: its trial's for the first one, within it for each later one. */
  static String directory(AttemptRef attempt) {
    String trial = "nni/" + attempt.trial().experiment() + "/trials/" + attempt.trial().trial();
    return attempt.number() == 1 ? trial : trial + "/attempt-" + attempt.number();
  }
}
