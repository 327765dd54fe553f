package io.orrery.gateway.kubernetes;

import io.orrery.orchestrator.platform.TrainingServiceFactory;
import io.orrery.orchestrator.platform.kubeflow.KubeflowServiceFactory;
import java.util.Map;

/** TFJobs, whose worker speaks for the attempt while a parameter server runs beside it. */
class TensorFlowServiceIT extends ClusterServiceContract {
  @Override
  TrainingServiceFactory factory() {
    return new KubeflowServiceFactory();
  }

  @Override
  String container() {
    return "tensorflow";
  }

  @Override
  Map<String, Object> settings() {
    return Map.of(
        "operator",
        "tf-operator",
        "apiVersion",
        "v1beta2",
        "worker",
        Map.of("replicas", 1, "dockerImage", "tensorflow:1"),
        "ps",
        Map.of("replicas", 1, "dockerImage", "tensorflow:1", "command", "sleep 300"));
  }
}
