package io.orrery.orchestrator.platform.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.mockwebserver.http.MockResponse;
import io.orrery.core.experiment.TrainingServiceSpec;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.trial.AttemptRef;
import io.orrery.core.trial.Parameters;
import io.orrery.orchestrator.azure.AzureCloud;
import io.orrery.orchestrator.platform.Eventually;
import io.orrery.orchestrator.platform.PlatformEvent;
import io.orrery.orchestrator.platform.TrainingService;
import io.orrery.orchestrator.platform.TrainingServiceFactory.Surroundings;
import io.orrery.orchestrator.platform.TrainingServiceFixture;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Each thing that goes wrong in clusters, and the words that people get for it. */
class FailureIT extends TrainingServiceFixture {
  private static final String JOBS = "/apis/batch/v1/namespaces/trials/jobs";
  private static final String PODS = "/api/v1/namespaces/trials/pods";

  /** Quick to say that nothing comes any more. */
  private static final Patience BRIEF =
      new Patience(
          Duration.ofMillis(200),
          Duration.ofSeconds(1),
          Duration.ofSeconds(1),
          Duration.ofSeconds(5),
          Duration.ofSeconds(5),
          Duration.ofMillis(300),
          Duration.ofMillis(300),
          Duration.ofMillis(300));

  private MockCluster cluster;
  private Cable cable;
  private Path kubeconfig;

  @Override
  protected void beforeService() throws Exception {
    cluster = new MockCluster(directory.resolve("node"), false);
    cable = new Cable(URI.create(cluster.url()).getPort());
    kubeconfig = cluster.kubeconfig(directory.resolve("kubeconfig"));
    Files.writeString(kubeconfig, Files.readString(kubeconfig).replace(cluster.url(), cable.url()));
  }

  @Override
  protected TrainingServiceSpec platform() {
    return new TrainingServiceSpec(
        "kubernetes",
        new Parameters(Map.of("kubeconfig", kubeconfig.toString(), "dockerImage", "python:3")));
  }

  @Override
  protected TrainingService open(Surroundings surroundings) {
    return new JobService(
        surroundings,
        "kubernetes",
        (spec, served) -> KubernetesServiceFactory.blueprint(spec),
        BRIEF,
        AzureCloud.PUBLIC,
        null);
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
      cable.close();
      cluster.close();
    }
  }

  // ---- what pods come to ---------------------------------------------------------------------

  @Test
  void anImageThatCannotBeHadFailsItsTrialWhenNobodyMendsIt() throws Exception {
    AttemptRef attempt = submit("true");
    pod(
        attempt,
        """
        {"phase":"Pending","containerStatuses":[{"name":"main","image":"no/such:1","state":
          {"waiting":{"reason":"ImagePullBackOff","message":"Back-off pulling image"}}}]}
        """);

    PlatformEvent.Ended ended = listener.ended(attempt);
    assertThat(waited(attempt)).anyMatch(reason -> reason.contains("no/such:1 cannot be had"));
    assertThat(ended.exitCode()).isEqualTo(JobAttempt.UNKNOWN_CODE);
    assertThat(ended.reason()).contains("no/such:1", "Back-off pulling image");
  }

  @Test
  void whatNoNodeHasRoomForWaitsAndSaysSo() throws Exception {
    AttemptRef attempt = submit("true");
    pod(
        attempt,
        """
        {"phase":"Pending","conditions":[{"type":"PodScheduled","status":"False",
          "reason":"Unschedulable","message":"0/3 nodes are available: 3 Insufficient nvidia.com/gpu."}]}
        """);

    Eventually.until(
        "its reason",
        () -> waited(attempt).stream().anyMatch(reason -> reason.contains("nvidia.com/gpu")));
    assertThat(listener.endedOf(attempt)).isEmpty();
  }

  @Test
  void tooMuchMemoryIsExitCode137WithWhatHelps() throws Exception {
    AttemptRef attempt = submit("true");
    pod(
        attempt,
        """
        {"phase":"Failed","containerStatuses":[{"name":"main","state":{"terminated":
          {"exitCode":137,"reason":"OOMKilled","startedAt":"2026-01-01T00:00:00Z"}}}]}
        """);
    failed(attempt);

    PlatformEvent.Ended ended = listener.ended(attempt);
    assertThat(ended.exitCode()).isEqualTo(137);
    assertThat(ended.reason()).contains("raise the memory of its role");
  }

  @Test
  void whatTheNodeEvictedIsLost() throws Exception {
    AttemptRef attempt = submit("true");
    pod(
        attempt,
        """
        {"phase":"Failed","reason":"Evicted","message":"The node was low on resource: memory."}
        """);
    failed(attempt);

    PlatformEvent.Ended ended = listener.ended(attempt);
    assertThat(ended.exitCode()).isNull();
    assertThat(ended.reason())
        .isEqualTo("the node evicted its pod: The node was low on resource: memory.");
  }

  @Test
  void whatWentWithItsNodeIsLost() throws Exception {
    AttemptRef attempt = submit("true");
    pod(
        attempt,
        """
        {"phase":"Failed","reason":"NodeLost","message":"Node n1 is unresponsive"}
        """);
    failed(attempt);

    PlatformEvent.Ended ended = listener.ended(attempt);
    assertThat(ended.exitCode()).isNull();
    assertThat(ended.reason()).isEqualTo("its node was lost: Node n1 is unresponsive");
  }

  // ---- what API servers answer ---------------------------------------------------------------

  @Test
  void throttlingSaysHowLongToWait() throws Exception {
    Problem problem =
        refused(
            MockCluster.status(429, "TooManyRequests", "too many requests")
                .addHeader("Retry-After", "7"));

    assertThat(problem)
        .isEqualTo(
            new Problem.Busy(
                "the API server is throttling: too many requests", Duration.ofSeconds(7)));
  }

  @Test
  void aConflictIsTriedAgainSoon() throws Exception {
    assertThat(refused(MockCluster.status(409, "Conflict", "the object has been modified")))
        .isInstanceOfSatisfying(
            Problem.Busy.class,
            busy -> assertThat(busy.detail()).contains("the object has been modified"));
  }

  @Test
  void aWebhooksRefusalIsForGoodAndLeavesNothing() throws Exception {
    Problem problem =
        refused(
            MockCluster.status(
                400, "BadRequest", "admission webhook \"policy\" denied the request: no root"));

    assertThat(problem).isInstanceOf(Problem.Refused.class);
    assertThat(problem.detail()).contains("denied the request: no root");
    assertThat(cluster.list("/api/v1/namespaces/trials/secrets")).isEmpty();
  }

  @Test
  void aQuotaThatIsUsedUpMakesItWait() throws Exception {
    assertThat(
            refused(
                MockCluster.status(403, "Forbidden", "jobs is forbidden: exceeded quota: team")))
        .isInstanceOfSatisfying(
            Problem.Busy.class, busy -> assertThat(busy.detail()).contains("exceeded quota: team"));
  }

  /** What a submission fails with when its Job is answered like this. */
  private Problem refused(MockResponse answer) {
    cluster.fault(
        "jobs",
        request ->
            request.getMethod().equals("POST") && request.getPath().startsWith(JOBS)
                ? answer
                : null);
    ProblemException failure = catchThrowableOfType(ProblemException.class, () -> submit("true"));
    cluster.mend("jobs");
    return failure.problem();
  }

  // ---- watches -------------------------------------------------------------------------------

  @Test
  void aRunningTrialIsUnknownWhileNothingIsHeardOfItAndIsTakenUpAgain() throws Exception {
    AttemptRef attempt = submit("true");
    String running =
        """
        {"phase":"Running","containerStatuses":[{"name":"main","state":{"running":
          {"startedAt":"2026-01-01T00:00:00Z"}}}]}
        """;
    pod(attempt, running);
    Eventually.until("it runs", () -> listener.started(attempt));

    cable.cut();
    Eventually.until(
        "it is said to be out of sight",
        () ->
            listener.events(attempt).stream()
                .anyMatch(event -> event instanceof PlatformEvent.Unreachable));
    assertThat(listener.endedOf(attempt)).isEmpty();

    cable.mend();
    pod(
        attempt,
        """
        {"phase":"Succeeded","containerStatuses":[{"name":"main","state":{"terminated":
          {"exitCode":0,"startedAt":"2026-01-01T00:00:00Z"}}}]}
        """);
    condition(attempt, "Complete");

    assertThat(listener.ended(attempt).exitCode()).isZero();
  }

  /** Gives its pod a status, once its controller has made it. */
  private void pod(AttemptRef attempt, String status) throws Exception {
    String prefix = JobName.dashed(attempt);
    Eventually.until("a pod of " + attempt, () -> !named(prefix).isEmpty());
    String name = named(prefix).getFirst().at("/metadata/name").asText();
    cluster.setStatus(PODS + "/" + name, Json.parse(status));
  }

  private List<JsonNode> named(String prefix) {
    return cluster.list(PODS).stream()
        .filter(pod -> pod.at("/metadata/name").asText().startsWith(prefix))
        .toList();
  }

  private void failed(AttemptRef attempt) {
    condition(attempt, "Failed");
  }

  private void condition(AttemptRef attempt, String type) {
    String status =
        """
        {"conditions":[{"type":"%s","status":"True","reason":"X","message":"y"}]}
        """
            .formatted(type);
    cluster.setStatus(JOBS + "/" + JobName.dashed(attempt), Json.parse(status));
  }

  private List<String> waited(AttemptRef attempt) {
    return listener.events(attempt).stream()
        .filter(event -> event instanceof PlatformEvent.Waiting)
        .map(event -> ((PlatformEvent.Waiting) event).reason())
        .toList();
  }
}
