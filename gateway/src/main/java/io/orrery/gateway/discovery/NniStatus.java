package io.orrery.gateway.discovery;

import io.orrery.core.experiment.ExperimentStatus;

/** The status of an experiment in NNI's words; its clients wait for DONE, STOPPED or ERROR. */
public final class NniStatus {
  private NniStatus() {}

  public static String of(ExperimentStatus status) {
    return switch (status) {
      case INITIALIZED, RUNNING, STOPPING, STOPPED, DONE, ERROR, VIEWED -> status.name();
      case PAUSED -> ExperimentStatus.RUNNING.name();
      case NO_MORE_TRIAL -> "TUNER_NO_MORE_TRIAL";
      case FAILED -> ExperimentStatus.ERROR.name();
    };
  }
}
