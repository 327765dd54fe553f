package io.orrery.core.service;

import io.orrery.core.workload.WorkloadKind;
import io.orrery.core.workload.WorkloadRef;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The stage of a deployment: each has replicas and addresses of its own. */
public enum ServiceStage {
  PRODUCTION,
  TEST,
  DEBUG;

  /** The stage as it is written: in lower case. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The words of all stages. */
  public static List<String> words() {
    return Arrays.stream(values()).map(ServiceStage::word).toList();
  }

  /** The stage of a word; empty when there is none. */
  public static Optional<ServiceStage> of(String word) {
    return Arrays.stream(values()).filter(stage -> stage.word().equals(word)).findFirst();
  }

  /** The workload of a service at this stage. */
  public WorkloadRef workload(ServiceName service) {
    return new WorkloadRef(WorkloadKind.SERVICE, prefix() + service);
  }

  /** The part of names and addresses before the service's own: {@code test.}. */
  public String prefix() {
    return this == PRODUCTION ? "" : word() + ".";
  }
}
