package io.orrery.compute.kubernetes;

import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Labels by which our objects are known in a cluster, to us and to people with {@code kubectl -l}.
 */
final class Labels {
  static final String MANAGED_BY = "app.kubernetes.io/managed-by";
  static final String US = "orrery";
  static final String PLATFORM = "orrery.io/platform";
  static final String EXPERIMENT = "orrery.io/experiment";
  static final String TRIAL = "orrery.io/trial";
  static final String ATTEMPT = "orrery.io/attempt";
  static final String JOB = "orrery.io/job";
  static final String ROLE = "orrery.io/role";

  private static final Pattern VALID =
      Pattern.compile("[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?");

  private Labels() {}

  /** Of every object of an attempt. */
  static Map<String, String> of(String platform, AttemptRef attempt) {
    Map<String, String> labels = new LinkedHashMap<>();
    labels.put(MANAGED_BY, US);
    labels.put(PLATFORM, platform);
    labels.put(EXPERIMENT, value(attempt.trial().experiment().value()));
    labels.put(TRIAL, value(attempt.trial().trial().value()));
    labels.put(ATTEMPT, Integer.toString(attempt.number()));
    return labels;
  }

  /** Of every object that an experiment's attempts share. */
  static Map<String, String> of(String platform, ExperimentId experiment) {
    return Map.of(MANAGED_BY, US, PLATFORM, platform, EXPERIMENT, value(experiment.value()));
  }

  /** An id as a label's value, which may not begin or end with a dash. */
  static String value(String id) {
    return VALID.matcher(id).matches() ? id : "x" + id + "x";
  }
}
