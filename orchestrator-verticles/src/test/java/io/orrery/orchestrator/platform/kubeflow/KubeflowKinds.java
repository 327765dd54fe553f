package io.orrery.orchestrator.platform.kubeflow;

import io.orrery.orchestrator.platform.kubernetes.JobKind;

/** The kinds of this package, for tests that look at all kinds. */
public final class KubeflowKinds {
  private KubeflowKinds() {}

  /** TFJobs. */
  public static JobKind tensorFlow() {
    return new OperatorJob(Operator.TENSORFLOW, "v1", 60);
  }

  /** PyTorchJobs. */
  public static JobKind pyTorch() {
    return new OperatorJob(Operator.PYTORCH, "v1", 60);
  }
}
