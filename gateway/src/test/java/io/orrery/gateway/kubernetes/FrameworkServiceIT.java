package io.orrery.gateway.kubernetes;

import io.orrery.core.trial.AttemptRef;
import io.orrery.orchestrator.platform.TrainingServiceFactory;
import io.orrery.orchestrator.platform.frameworkcontroller.FrameworkServiceFactory;
import io.orrery.orchestrator.platform.kubernetes.JobName;
import java.util.List;
import java.util.Map;

/** Frameworks, which take their pods along as soon as one task has decided. */
class FrameworkServiceIT extends ClusterServiceContract {
  @Override
  TrainingServiceFactory factory() {
    return new FrameworkServiceFactory();
  }

  @Override
  String container() {
    return "framework";
  }

  @Override
  Map<String, Object> settings() {
    return Map.of(
        "taskRoles", List.of(Map.of("name", "worker", "taskNumber", 1, "dockerImage", "python:3")));
  }

  @Override
  String job(AttemptRef attempt) {
    return JobName.plain(attempt);
  }
}
