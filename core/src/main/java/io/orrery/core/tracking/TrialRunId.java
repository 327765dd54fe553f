package io.orrery.core.tracking;

import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The ids and names under which tracking clients find the experiments and trials of this server. An
 * experiment {@code k3j2h1g0} has the id {@code experiment-k3j2h1g0}, its trial {@code ab12c} the
 * id {@code trial-8-k3j2h1g0-ab12c}, in which 8 is the length of the experiment's id: ids may have
 * hyphens. What clients track has ids of hexadecimal digits, which cannot be one of these.
 */
public final class TrialRunId {
  /** The prefix of the ids of experiments. */
  public static final String OF_EXPERIMENT = "experiment-";

  /** The prefix of the ids of trials. */
  public static final String OF_TRIAL = "trial-";

  /** The most characters of an id. */
  public static final int MOST = 80;

  private static final String UNNAMED = "experiment";

  private TrialRunId() {}

  /** The id of an experiment. */
  public static String of(ExperimentId experiment) {
    return OF_EXPERIMENT + experiment;
  }

  /** The id of a trial. */
  public static String of(TrialRef trial) {
    String experiment = trial.experiment().value();
    return OF_TRIAL + experiment.length() + "-" + experiment + "-" + trial.trial();
  }

  /** Whether an id can only be one of an experiment of this server. */
  public static boolean isOfExperiment(String id) {
    return id.startsWith(OF_EXPERIMENT);
  }

  /** Whether an id can only be one of a trial. */
  public static boolean isOfTrial(String id) {
    return id.startsWith(OF_TRIAL);
  }

  /** The experiment of an id; empty where the text is none. */
  public static Optional<ExperimentId> experiment(String id) {
    String rest = isOfExperiment(id) ? id.substring(OF_EXPERIMENT.length()) : "";
    return ExperimentId.valid(rest) ? Optional.of(new ExperimentId(rest)) : Optional.empty();
  }

  /** The trial of an id; empty where the text is none. */
  public static Optional<TrialRef> trial(String id) {
    String rest = isOfTrial(id) ? id.substring(OF_TRIAL.length()) : "";
    int hyphen = rest.indexOf('-');
    if (hyphen < 1 || hyphen > 2 || !rest.substring(0, hyphen).matches("[1-9][0-9]?")) {
      return Optional.empty();
    }
    int end = hyphen + 1 + Integer.parseInt(rest.substring(0, hyphen));
    if (end >= rest.length() || rest.charAt(end) != '-') {
      return Optional.empty();
    }
    String experiment = rest.substring(hyphen + 1, end);
    String trial = rest.substring(end + 1);
    return ExperimentId.valid(experiment) && TrialId.valid(trial)
        ? Optional.of(new TrialRef(new ExperimentId(experiment), new TrialId(trial)))
        : Optional.empty();
  }

  /**
   * The name of an experiment. It has the id in it: names of experiments may repeat, and a client
   * that looks for an experiment of its own by name must not be given one that it cannot log to.
   *
   * @param label null or empty for none
   */
  public static String name(@Nullable String label, ExperimentId experiment) {
    return (label == null || label.isEmpty() ? UNNAMED : label) + " (" + experiment + ")";
  }

  /** The experiment that a name of this kind ends with; empty where it is of another kind. */
  public static Optional<ExperimentId> named(String name) {
    int bracket = name.lastIndexOf(" (");
    if (bracket < 1 || !name.endsWith(")")) {
      return Optional.empty();
    }
    String id = name.substring(bracket + 2, name.length() - 1);
    return ExperimentId.valid(id) ? Optional.of(new ExperimentId(id)) : Optional.empty();
  }

  /** The name of the run that a trial is. */
  public static String runName(long sequence) {
    return OF_TRIAL + sequence;
  }
}
