package io.orrery.compute.kubeflow;

import io.orrery.compute.kubernetes.Blueprint;
import io.orrery.compute.kubernetes.JobKind;
import io.orrery.core.experiment.JobSpec;
import java.util.List;

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

  /** What jobs of an experiment are made from. */
  public static Blueprint blueprint(JobSpec job) {
    return KubeflowServiceFactory.blueprint(job, (cluster, type) -> List.of(type.version()));
  }
}
