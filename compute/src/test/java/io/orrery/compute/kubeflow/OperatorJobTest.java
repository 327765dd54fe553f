package io.orrery.compute.kubeflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.compute.kubernetes.JobState;
import io.orrery.compute.kubernetes.JobState.Phase;
import io.orrery.core.json.Json;
import java.util.List;
import org.junit.jupiter.api.Test;

class OperatorJobTest {
  private final OperatorJob job = new OperatorJob(Operator.TENSORFLOW, "v1", 60);

  @Test
  void aNewbornJobWaits() {
    assertThat(state()).isEqualTo(JobState.unknown());
  }

  @Test
  void theUsualSequenceIsFollowed() {
    assertThat(state("Created=True").phase()).isEqualTo(Phase.WAITING);
    assertThat(state("Created=True", "Running=True").phase()).isEqualTo(Phase.RUNNING);
    assertThat(state("Created=True", "Running=False", "Succeeded=True").phase())
        .isEqualTo(Phase.SUCCEEDED);
  }

  @Test
  void runningMayNeverHaveBeenSeen() {
    assertThat(state("Created=True", "Succeeded=True").phase()).isEqualTo(Phase.SUCCEEDED);
  }

  @Test
  void aJobMayFailWithoutHavingBeenCreated() {
    JobState state = state("Failed=True");

    assertThat(state.phase()).isEqualTo(Phase.FAILED);
    assertThat(state.reason()).isEqualTo("TFJobFailed: because");
  }

  @Test
  void aFalseConditionAtTheEndSaysNothing() {
    assertThat(state("Created=True", "Succeeded=True", "Running=False").phase())
        .isEqualTo(Phase.SUCCEEDED);
    assertThat(state("Created=True", "Restarting=True", "Running=False").phase())
        .isEqualTo(Phase.RUNNING);
  }

  @Test
  void theRunPolicyIsWhereTheVersionHasIt() {
    assertThat(job.spec(List.of()).at("/runPolicy/backoffLimit").intValue()).isZero();
    assertThat(new OperatorJob(Operator.PYTORCH, "v1beta2", 60).spec(List.of()).toString())
        .isEqualTo(
            "{\"cleanPodPolicy\":\"Running\",\"ttlSecondsAfterFinished\":60,\"backoffLimit\":0,\"pytorchReplicaSpecs\":{}}");
    assertThat(new OperatorJob(Operator.TENSORFLOW, "v1alpha2", 60).spec(List.of()).toString())
        .doesNotContain("backoffLimit", "runPolicy");
  }

  private JobState state(String... conditions) {
    var status = Json.MAPPER.createObjectNode();
    var list = status.putArray("conditions");
    for (String condition : conditions) {
      String type = condition.substring(0, condition.indexOf('='));
      list.addObject()
          .put("type", type)
          .put("status", condition.substring(condition.indexOf('=') + 1))
          .put("reason", "TFJob" + type)
          .put("message", "because")
          .put("lastTransitionTime", "2026-01-01T00:00:00Z");
    }
    return job.state(status);
  }
}
