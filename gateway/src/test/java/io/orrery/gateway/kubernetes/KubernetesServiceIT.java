package io.orrery.gateway.kubernetes;

import io.orrery.orchestrator.platform.TrainingServiceFactory;
import io.orrery.orchestrator.platform.kubernetes.KubernetesServiceFactory;
import java.util.Map;

/** Plain Jobs. */
class KubernetesServiceIT extends ClusterServiceContract {
  @Override
  TrainingServiceFactory factory() {
    return new KubernetesServiceFactory();
  }

  @Override
  String container() {
    return "main";
  }

  @Override
  Map<String, Object> settings() {
    return Map.of("dockerImage", "python:3");
  }
}
