package io.orrery.gateway.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.compute.kubernetes.KubernetesServiceFactory;
import io.orrery.compute.kubernetes.MockCluster;
import io.orrery.compute.service.Eventually;
import io.orrery.compute.service.PlatformEvent;
import io.orrery.compute.service.TrainingServiceFactory;
import io.orrery.core.bus.contract.Trials.Stream;
import io.orrery.core.id.AttemptRef;
import io.orrery.gateway.keeper.TokenHolders;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Runs the contract on plain Jobs whose pods serve one trial after another. */
@EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
class ReusedPodsIT extends ClusterServiceContract {
  private static final String JOBS = "/apis/batch/v1/namespaces/trials/jobs";

  private final Map<String, Object> settings =
      new HashMap<>(
          Map.of(
              "dockerImage",
              "python:3",
              "reuseMode",
              true,
              "environmentIdle",
              600L,
              "maxTrialNumberPerGpu",
              1L));

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
    return settings;
  }

  @Override
  protected boolean runs(AttemptRef attempt) throws IOException {
    return processes(attempt).run();
  }

  @Override
  protected void lose(AttemptRef attempt) throws IOException {
    TokenHolders processes = processes(attempt);
    for (List<ProcessHandle> left = processes.all(); !left.isEmpty(); left = processes.all()) {
      left.forEach(ProcessHandle::destroyForcibly);
    }
  }

  private TokenHolders processes(AttemptRef attempt) {
    return new TokenHolders(access().token(attempt));
  }

  @Test
  void aPodServesOneTrialAfterAnotherEachWithItsOwnDirectoryAndReports() throws Exception {
    for (int i = 0; i < 3; i++) {
      assertThatOneWithItsOwnDirectoryReportsAndEnds(i);
    }

    assertThat(cluster.list(JOBS)).hasSize(1);
  }

  @Test
  void aPodThatDiesLosesWhatRanInItAndNothingElse() throws Exception {
    AttemptRef lost = submit("touch first; sleep 300");
    AttemptRef spared = submit("touch second\n" + AWAIT_GO);
    Eventually.until(
        "both run",
        () -> Files.exists(code().resolve("first")) && Files.exists(code().resolve("second")));
    assertThat(cluster.list(JOBS)).hasSize(2);

    cluster.lose(jobThatRuns(lost));

    PlatformEvent.Ended ended = listener.ended(lost);
    assertThat(ended.exitCode()).isNull();
    assertThat(ended.reason()).contains("its environment", "node was lost");
    assertThat(listener.endedOf(spared)).isEmpty();
    go();
    assertThat(listener.ended(spared).exitCode()).isZero();
    assertThat(listener.ended(submit("exit 7")).exitCode()).isEqualTo(7);
    assertThat(cluster.list(JOBS)).hasSize(2);
  }

  @Test
  void trialsOfAPodShareItsGpus() throws Exception {
    settings.put("gpuNumber", 2L);
    settings.put("maxTrialNumberPerGpu", 2L);
    List<AttemptRef> attempts = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      attempts.add(
          submit("echo \"$CUDA_VISIBLE_DEVICES\"; touch up-$NNI_TRIAL_JOB_ID\n" + AWAIT_GO));
    }
    Eventually.until(
        "all run",
        () ->
            attempts.stream()
                .allMatch(each -> Files.exists(code().resolve("up-" + each.trial().trial()))));

    assertThat(cluster.list(JOBS))
        .singleElement()
        .satisfies(job ->
            assertThat(
                    job.at("/spec/template/spec/containers/0/resources/limits/nvidia.com~1gpu")
                        .asText())
                .isEqualTo("2"));
    go();
    List<String> shown = new ArrayList<>();
    for (AttemptRef attempt : attempts) {
      assertThat(listener.ended(attempt).exitCode()).isZero();
      shown.add(log(attempt, Stream.STDOUT).strip());
    }
    assertThat(shown).containsExactlyInAnyOrder("0", "0", "1", "1");
  }

  @Test
  void aPodThatHasNothingToDoEnds() throws Exception {
    settings.put("environmentIdle", 0L);

    assertThat(listener.ended(submit("exit 5")).exitCode()).isEqualTo(5);

    Eventually.until("its job is gone", () -> cluster.list(JOBS).isEmpty());
    assertThat(listener.ended(submit("exit 6")).exitCode()).isEqualTo(6);
    Eventually.until("the next one is gone as well", () -> cluster.list(JOBS).isEmpty());
  }

  @Test
  void aTrialWhosePodCannotStartSaysWhy() throws Exception {
    cluster.fault(
        "quota",
        request ->
            request.getMethod().equals("POST")
                ? MockCluster.status(403, "Forbidden", "exceeded quota: team")
                : null);
    assertThatThrownBy(() -> submit("exit 4")).hasMessageContaining("exceeded quota: team");

    cluster.repair("quota");
    assertThat(listener.ended(submit("exit 4")).exitCode()).isEqualTo(4);
  }

  @Override
  protected Integer gpus() {
    return settings.containsKey("gpuNumber") ? 1 : null;
  }

  /** Found by its processes, which the node marks with their pod's uid. */
  @Override
  String jobThatRuns(AttemptRef attempt) throws IOException {
    String variables = processes(attempt).environment();
    return cluster.list("/api/v1/namespaces/trials/pods").stream()
        .filter(pod -> variables.contains("MOCK_POD=" + pod.at("/metadata/uid").asText() + "\0"))
        .map(pod -> pod.at("/metadata/ownerReferences/0/name").asText())
        .findFirst()
        .orElseThrow();
  }
}
