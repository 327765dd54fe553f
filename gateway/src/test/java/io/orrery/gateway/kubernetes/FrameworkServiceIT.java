package io.orrery.gateway.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.compute.command.TrialCommand;
import io.orrery.compute.frameworkcontroller.FrameworkServiceFactory;
import io.orrery.compute.kubernetes.JobName;
import io.orrery.compute.service.TrainingServiceFactory;
import io.orrery.core.id.AttemptRef;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Frameworks, which take their pods along as soon as one task has decided. */
@EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
class FrameworkServiceIT extends ClusterServiceContract {
  private List<Map<String, Object>> roles =
      List.of(Map.of("name", "worker", "taskNumber", 1, "dockerImage", "python:3"));

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
    return Map.of("taskRoles", roles);
  }

  @Override
  String job(AttemptRef attempt) {
    return JobName.plain(attempt);
  }

  /** K7: the first role reports, and is ended when the others have succeeded, as in NNI. */
  @Test
  void theControllersCompletionDecidesWhereTheFirstRoleIsAParameterServer() throws Exception {
    String up = TrialCommand.quoted(code().resolve("up").toString());
    roles =
        List.of(
            role("ps", "touch " + up + "; while :; do sleep 0.05; done", -1),
            role("worker", "until [ -e " + up + " ]; do sleep 0.02; done", 1));
    prepareAgain();

    AttemptRef attempt = submit("true");

    assertThat(listener.ended(attempt).exitCode()).isZero();
  }

  private static Map<String, Object> role(String name, String command, int enough) {
    return Map.of(
        "name",
        name,
        "taskNumber",
        1,
        "dockerImage",
        "python:3",
        "command",
        command,
        "frameworkAttemptCompletionPolicy",
        Map.of("minFailedTaskCount", 1, "minSucceedTaskCount", enough));
  }
}
