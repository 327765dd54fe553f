package io.orrery.gateway.kubernetes;

import io.orrery.compute.kubeflow.KubeflowServiceFactory;
import io.orrery.compute.service.TrainingServiceFactory;
import java.util.Map;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** PyTorchJobs, whose master speaks for the attempt. */
@EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
class PyTorchServiceIT extends ClusterServiceContract {
  @Override
  TrainingServiceFactory factory() {
    return new KubeflowServiceFactory();
  }

  @Override
  String container() {
    return "pytorch";
  }

  @Override
  Map<String, Object> settings() {
    return Map.of(
        "operator",
        "pytorch-operator",
        "apiVersion",
        "v1",
        "master",
        Map.of("replicas", 1, "dockerImage", "pytorch:1"));
  }
}
