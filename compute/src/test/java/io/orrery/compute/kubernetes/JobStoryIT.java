package io.orrery.compute.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.mockwebserver.http.MockResponse;
import io.orrery.compute.azure.AzureCloud;
import io.orrery.compute.service.Eventually;
import io.orrery.compute.service.PlatformEvent;
import io.orrery.compute.service.Submission;
import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceFactory.Surroundings;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.kubernetes.Cluster;
import io.orrery.kubernetes.ClusterAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Jobs whose pods the test itself moves: what clusters do that a good trial never sees. */
class JobStoryIT extends StillClusterFixture {
  /** A garbage collector that is slow, as on a busy machine, is waited for. */
  @Override
  protected TrainingService open(Surroundings surroundings) {
    return new JobService(
        surroundings,
        "kubernetes",
        (spec, served) -> KubernetesServiceFactory.blueprint(spec),
        ClusterTimeouts.STANDARD.withCollector(Duration.ofMinutes(10)),
        AzureCloud.PUBLIC,
        null);
  }

  @Test
  void anImageThatCannotBeHadIsWhyItWaits() throws Exception {
    AttemptRef attempt = submit("true");
    pod(
        attempt,
        """
        {"phase":"Pending","containerStatuses":[{"name":"main","image":"no/such:1","state":
          {"waiting":{"reason":"ImagePullBackOff","message":"Back-off pulling image"}}}]}
        """);

    Eventually.until(
        "its reason",
        () -> waited(attempt).stream().anyMatch(reason -> reason.contains("no/such:1")));
  }

  @Test
  void aJobThatIsDeletedByOthersEndsItsAttempt() throws Exception {
    AttemptRef attempt = submit("true");
    pod(attempt);

    cluster.delete(job(attempt));

    PlatformEvent.Ended ended = listener.ended(attempt);
    assertThat(ended.exitCode()).isNull();
    assertThat(ended.reason()).contains("was deleted from the cluster");
  }

  /** K1: a real server orphans the pods of a Job unless the body of the DELETE says otherwise. */
  @Test
  void stoppingLeavesNothingBehind() throws Exception {
    AttemptRef attempt = submit("true");
    pod(attempt);
    assertThat(cluster.list(SECRETS)).isNotEmpty();

    done(service.cancel(attempt));

    listener.ended(attempt);
    assertThat(cluster.list(JOBS)).isEmpty();
    Eventually.until("no pods", () -> cluster.list(PODS).isEmpty());
    Eventually.until("no secrets", () -> cluster.list(SECRETS).isEmpty());
    assertThat(cluster.requests())
        .as("its pod went with its job, and not because it was deleted for itself")
        .noneMatch(request -> request.startsWith("DELETE " + PODS));
  }

  /** K4. */
  @Test
  void aPodThatOthersDeleteIsLost() throws Exception {
    AttemptRef attempt = submit("true");
    running(attempt);
    Eventually.until("its pod is seen", () -> listener.started(attempt));

    cluster.delete(pod(attempt));
    condition(attempt, "Failed", "BackoffLimitExceeded", "no more");

    PlatformEvent.Ended ended = listener.ended(attempt);
    assertThat(ended.exitCode()).isNull();
    assertThat(ended.reason()).contains("its pod", "was deleted from the cluster");
  }

  /** K4: two watches, and the end of the job is seen first. */
  @Test
  void aPodThatOthersDeleteIsLostAlsoWhenTheEndOfItsJobIsSeenBefore() throws Exception {
    AttemptRef attempt = submit("true");
    running(attempt);
    Eventually.until("its pod is seen", () -> listener.started(attempt));

    condition(attempt, "Failed", "BackoffLimitExceeded", "no more");
    cluster.delete(pod(attempt));

    PlatformEvent.Ended ended = listener.ended(attempt);
    assertThat(ended.exitCode()).isNull();
    assertThat(ended.reason()).contains("its pod", "was deleted from the cluster");
  }

  @Test
  void aJobMayGoFromCreatedStraightToFailed() throws Exception {
    AttemptRef attempt = submit("true");
    pod(attempt, "{\"phase\":\"Failed\"}");
    condition(attempt, "Failed", "PodFailurePolicy", "no way");

    PlatformEvent.Ended ended = listener.ended(attempt);
    assertThat(ended.exitCode()).isEqualTo(Verdict.UNKNOWN_CODE);
    assertThat(ended.reason()).contains("PodFailurePolicy: no way", "not known");
    assertThat(listener.started(attempt)).isFalse();
  }

  @Test
  void anEndThatTheClusterRemembersIsToldAgainAfterARestart() throws Exception {
    Submission submission = succeeded("again");
    assertThat(listener.ended(submission.attempt()).exitCode()).isZero();

    restart();

    assertThat(done(service.adopt(List.of(submission)))).isEmpty();
    assertThat(listener.ended(submission.attempt()).exitCode()).isZero();
  }

  @Test
  void cancelingWhatSucceededBeforeARestartChangesNothing() throws Exception {
    Submission submission = succeeded("over");
    listener.ended(submission.attempt());

    restart();
    done(service.cancel(submission.attempt()));

    assertThat(cluster.get(job(submission.attempt())).path("kind").asText()).isEqualTo("Job");
    assertThat(listener.endedOf(submission.attempt())).isEmpty();
  }

  @Test
  void aGoodEndThatTheWatchHasShownIsNotAskedFor() throws Exception {
    Submission submission = succeeded("seen");
    listener.ended(submission.attempt());

    assertThat(cluster.requests())
        .noneMatch(request -> request.startsWith("GET " + PODS) && request.contains("job%3D"));
  }

  /** Its pod, then its job; the watch has shown the first when the second comes. */
  private Submission succeeded(String trial) throws Exception {
    settings.put("ttlSecondsAfterFinished", 3_600);
    Submission submission = submission(trial, "true");
    submit(submission);
    pod(
        submission.attempt(),
        """
        {"phase":"Succeeded","containerStatuses":[{"name":"main","state":{"terminated":
          {"exitCode":0,"startedAt":"2026-01-01T00:00:00Z"}}}]}
        """);
    Eventually.until("its pod is seen", () -> listener.started(submission.attempt()));
    condition(submission.attempt(), "Complete", "X", "y");
    return submission;
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

    cluster.repair("quota");
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

    assertThatItHasItsToken(attempt);
    assertThat(cluster.get(job(attempt)).toString()).doesNotContain("token-of-");
    assertThat(cluster.requests()).anyMatch(request -> request.contains("fieldValidation=Strict"));
  }

  /** Asserts that the token is where the pods look for it. */
  private void assertThatItHasItsToken(AttemptRef attempt) {
    JsonNode job = cluster.get(job(attempt));
    JsonNode reference =
        job.at("/spec/template/spec/containers/0/env")
            .valueStream()
            .filter(each -> each.path("name").asText().equals("ORRERY_TRIAL_TOKEN"))
            .findFirst()
            .orElseThrow()
            .at("/valueFrom/secretKeyRef");
    JsonNode secret = cluster.get(SECRETS + "/" + reference.path("name").asText());

    String data = secret.path("data").path(reference.path("key").asText()).asText();
    assertThat(new String(Base64.getDecoder().decode(data), StandardCharsets.UTF_8))
        .startsWith("token-of-");
    assertThat(secret.at("/metadata/ownerReferences").findValuesAsText("uid"))
        .contains(job.at("/metadata/uid").asText());
  }

  @Test
  void aLaunchThatCameToNoSecretIsCompletedByTheNext() throws Exception {
    Submission submission = cutOff("cut");

    submit(submission);

    assertThatItHasItsToken(submission.attempt());
    assertThat(cluster.list(JOBS)).hasSize(1);
  }

  @Test
  void aLaunchWithoutASecretIsCompletedByTheAdoptingServer() throws Exception {
    Submission submission = cutOff("cut");
    restart();

    assertThat(done(service.adopt(List.of(submission)))).isEmpty();

    assertThatItHasItsToken(submission.attempt());
  }

  /** Submits what gets a job, and no Secret. */
  private Submission cutOff(String trial) {
    Submission submission = submission(trial, "true");
    secretsAnswer(MockCluster.status(503, "ServiceUnavailable", "etcd is away"));
    assertThatThrownBy(() -> submit(submission)).hasMessageContaining("etcd is away");
    cluster.repair("secrets");
    assertThat(cluster.list(SECRETS)).isEmpty();
    assertThat(cluster.list(JOBS)).hasSize(1);
    return submission;
  }

  private void secretsAnswer(MockResponse answer) {
    cluster.fault(
        "secrets",
        request ->
            request.getMethod().equals("POST") && request.getPath().startsWith(SECRETS)
                ? answer
                : null);
  }

  @Test
  void aJobThatMayHaveNoSecretIsNotLeftToWaitForIt() throws Exception {
    secretsAnswer(MockCluster.status(403, "Forbidden", "secrets is forbidden"));

    assertThatThrownBy(() -> submit("true")).hasMessageContaining("secrets is forbidden");

    assertThat(cluster.list(JOBS)).isEmpty();
  }

  @Test
  void aSecretThatIsThereKeepsTheTokensOfOthers() throws Exception {
    Submission submission = submission("again", "true");
    String name = JobName.dashed(submission.attempt());
    ObjectNode other = Json.MAPPER.createObjectNode().put("apiVersion", "v1").put("kind", "Secret");
    other.putObject("metadata").put("name", name);
    other.putObject("data").put("another", "dG9rZW4=");
    cluster.create(SECRETS, other);

    submit(submission);

    assertThatItHasItsToken(submission.attempt());
    assertThat(cluster.get(SECRETS + "/" + name).at("/data/another").asText())
        .isEqualTo("dG9rZW4=");
  }

  @Test
  void cleaningUpLeavesNothingInTheCluster() throws Exception {
    AttemptRef attempt = submit("true");
    pod(
        attempt,
        """
        {"phase":"Succeeded","containerStatuses":[{"name":"main","state":{"terminated":
            {"exitCode":0,"finishedAt":"2026-01-01T00:00:00Z"}}}]}
        """);
    condition(attempt, "Complete", "", "");
    listener.ended(attempt);
    assertThat(cluster.list(JOBS)).isNotEmpty();

    done(service.cleanUp(EXPERIMENT));

    Eventually.until("no pods", () -> cluster.list(PODS).isEmpty());
    assertThat(cluster.list(JOBS)).isEmpty();
    assertThat(cluster.list(SECRETS)).isEmpty();
  }

  @Test
  void anotherContextIsAnotherNamespaceAndAnUnknownOneIsRefused() {
    ClusterAddress other = new ClusterAddress(kubeconfig.toString(), "other", null);
    try (Cluster there = Cluster.open(other, vertx)) {
      assertThat(there.namespace()).isEqualTo("elsewhere");
    }
    assertThatThrownBy(
            () -> Cluster.open(new ClusterAddress(kubeconfig.toString(), "nowhere", null), vertx))
        .hasMessageContaining("no context 'nowhere'");
  }
}
