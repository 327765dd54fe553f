package io.orrery.gateway.kubernetes;

import io.orrery.compute.kubeflow.KubeflowServiceFactory;
import io.orrery.compute.service.TrainingServiceFactory;
import java.util.Map;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** TFJobs, whose first worker speaks for the attempt. */
@EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
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
        "v1",
        "worker",
        Map.of("replicas", 1, "dockerImage", "tensorflow:1"));
  }
}
