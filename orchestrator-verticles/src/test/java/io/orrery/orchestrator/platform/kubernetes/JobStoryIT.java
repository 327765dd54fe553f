package io.orrery.orchestrator.platform.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.experiment.TrainingServiceSpec;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.trial.AttemptRef;
import io.orrery.core.trial.Parameters;
import io.orrery.orchestrator.platform.Eventually;
import io.orrery.orchestrator.platform.PlatformEvent;
import io.orrery.orchestrator.platform.Submission;
import io.orrery.orchestrator.platform.TrainingService;
import io.orrery.orchestrator.platform.TrainingServiceFactory.Surroundings;
import io.orrery.orchestrator.platform.TrainingServiceFixture;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Jobs whose pods the test itself moves: what clusters do that a good trial never sees. */
class JobStoryIT extends TrainingServiceFixture {
  private static final String JOBS = "/apis/batch/v1/namespaces/trials/jobs";
  private static final String PODS = "/api/v1/namespaces/trials/pods";
  private static final String SECRETS = "/api/v1/namespaces/trials/secrets";

  private MockCluster cluster;
  private Path kubeconfig;

  @Override
  protected void beforeService() throws Exception {
    cluster = new MockCluster(directory.resolve("node"), false);
    kubeconfig = cluster.kubeconfig(directory.resolve("kubeconfig"));
  }

  @Override
  protected TrainingServiceSpec platform() {
    return new TrainingServiceSpec(
        "kubernetes",
        new Parameters(Map.of("kubeconfig", kubeconfig.toString(), "dockerImage", "python:3")));
  }

  @Override
  protected TrainingService open(Surroundings surroundings) {
    return new KubernetesServiceFactory().open(surroundings);
  }

  @Override
  protected void lose(AttemptRef attempt) {
    throw new UnsupportedOperationException();
  }

  @Override
  protected boolean runs(AttemptRef attempt) {
    return false;
  }

  @Override
  protected void stop() throws Exception {
    try {
      super.stop();
    } finally {
      cluster.close();
    }
  }

  @Test
  void anImageThatCannotBeHadIsWhyItWaits() throws Exception {
    AttemptRef attempt = submit("true");
    ObjectNode status = Json.MAPPER.createObjectNode().put("phase", "Pending");
    ObjectNode container = status.putArray("containerStatuses").addObject();
    container.put("name", "main").put("image", "no/such:1");
    container
        .putObject("state")
        .putObject("waiting")
        .put("reason", "ImagePullBackOff")
        .put("message", "Back-off pulling image");

    cluster.setStatus(PODS + "/" + pod(attempt), status);

    Eventually.until(
        "its reason",
        () ->
            listener.events(attempt).stream()
                .anyMatch(event ->
                    event instanceof PlatformEvent.Waiting waiting
                        && waiting.reason().contains("no/such:1")));
  }

  @Test
  void aJobThatIsDeletedByOthersEndsItsAttempt() throws Exception {
    AttemptRef attempt = submit("true");
    pod(attempt);

    cluster.delete(JOBS + "/" + JobName.dashed(attempt));

    PlatformEvent.Ended ended = listener.ended(attempt);
    assertThat(ended.exitCode()).isNull();
    assertThat(ended.reason()).contains("was deleted from the cluster");
  }

  @Test
  void aJobMayGoFromCreatedStraightToFailed() throws Exception {
    AttemptRef attempt = submit("true");
    cluster.delete(PODS + "/" + pod(attempt));
    ObjectNode status = Json.MAPPER.createObjectNode();
    status
        .putArray("conditions")
        .addObject()
        .put("type", "Failed")
        .put("status", "True")
        .put("reason", "PodFailurePolicy")
        .put("message", "no way");

    cluster.setStatus(JOBS + "/" + JobName.dashed(attempt), status);

    PlatformEvent.Ended ended = listener.ended(attempt);
    assertThat(ended.exitCode()).isEqualTo(JobAttempt.UNKNOWN_CODE);
    assertThat(ended.reason()).contains("PodFailurePolicy: no way", "not known");
    assertThat(listener.started(attempt)).isFalse();
  }

  @Test
  void anExceededQuotaIsNoRoomNow() throws Exception {
    cluster.fault(
        "quota",
        request ->
            request.getMethod().equals("POST")
                ? MockCluster.status(403, "Forbidden", "jobs is forbidden: exceeded quota: team")
                : null);
    Submission submission = submission("late", "true");

    assertThatThrownBy(() -> submit(submission))
        .isInstanceOfSatisfying(
            ProblemException.class,
            refused -> assertThat(refused.problem()).isInstanceOf(Problem.Busy.class))
        .hasMessageContaining("exceeded quota: team");

    cluster.mend("quota");
    submit(submission);
    assertThat(pod(submission.attempt())).isNotBlank();
  }

  @Test
  void whatHasItsNameAndIsNotOursIsLeftAlone() throws Exception {
    Submission submission = submission("taken", "true");
    ObjectNode other = Json.MAPPER.createObjectNode().put("apiVersion", "batch/v1");
    other
        .put("kind", "Job")
        .putObject("metadata")
        .put("name", JobName.dashed(submission.attempt()));
    cluster.create(JOBS, other);

    assertThatThrownBy(() -> submit(submission)).hasMessageContaining("not of this trial");

    done(service.cancel(submission.attempt()));
    assertThat(cluster.list(JOBS)).hasSize(1);
    assertThat(cluster.list(SECRETS)).isEmpty();
  }

  @Test
  void aTokenIsInASecretThatTheJobOwns() throws Exception {
    AttemptRef attempt = submit("true");

    JsonNode job = cluster.get(JOBS + "/" + JobName.dashed(attempt));
    JsonNode secret = cluster.list(SECRETS).getFirst();

    assertThat(job.toString()).doesNotContain("token-of-");
    assertThat(secret.at("/metadata/ownerReferences/0/uid")).isEqualTo(job.at("/metadata/uid"));
    assertThat(cluster.requests()).anyMatch(request -> request.contains("fieldValidation=Strict"));
  }

  @Test
  void cleaningUpLeavesNothingInTheCluster() throws Exception {
    AttemptRef attempt = submit("true");
    pod(attempt);

    done(service.cleanUp(EXPERIMENT));

    Eventually.until("no pods", () -> cluster.list(PODS).isEmpty());
    assertThat(cluster.list(JOBS)).isEmpty();
    assertThat(cluster.list(SECRETS)).isEmpty();
  }

  @Test
  void anotherContextIsAnotherNamespaceAndAnUnknownOneIsRefused() {
    try (Cluster there = Cluster.open(new ClusterAddress(kubeconfig.toString(), "other", null))) {
      assertThat(there.namespace()).isEqualTo("elsewhere");
    }
    assertThatThrownBy(
            () -> Cluster.open(new ClusterAddress(kubeconfig.toString(), "nowhere", null)))
        .hasMessageContaining("no context 'nowhere'");
  }

  /** The name of the attempt's pod, once its controller has made it. */
  private String pod(AttemptRef attempt) throws Exception {
    String prefix = JobName.dashed(attempt);
    Eventually.until("a pod of " + attempt, () -> !named(prefix).isEmpty());
    return named(prefix).getFirst().at("/metadata/name").asText();
  }

  private List<JsonNode> named(String prefix) {
    return cluster.list(PODS).stream()
        .filter(pod -> pod.at("/metadata/name").asText().startsWith(prefix))
        .toList();
  }
}
