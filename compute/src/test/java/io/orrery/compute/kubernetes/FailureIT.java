package io.orrery.compute.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.mockwebserver.http.MockResponse;
import io.orrery.compute.azure.AzureCloud;
import io.orrery.compute.service.Eventually;
import io.orrery.compute.service.PlatformEvent;
import io.orrery.compute.service.Submission;
import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceFactory.Surroundings;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests each thing that goes wrong in clusters, and the words that people get for it. */
class FailureIT extends StillClusterFixture {
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

  // ---- what pods come to ---------------------------------------------------------------------

  @Test
  void anImageThatCannotBeHadFailsItsTrialWhenItIsNotRepaired() throws Exception {
    AttemptRef attempt = submit("true");
    pod(
        attempt,
        """
        {"phase":"Pending","containerStatuses":[{"name":"main","image":"no/such:1","state":
          {"waiting":{"reason":"ImagePullBackOff","message":"Back-off pulling image"}}}]}
        """);

    PlatformEvent.Ended ended = listener.ended(attempt);
    assertThat(waited(attempt)).anyMatch(reason -> reason.contains("no/such:1 cannot be had"));
    assertThat(ended.exitCode()).isEqualTo(Verdict.UNKNOWN_CODE);
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

  @Test
  void whatIsOnANodeThatDoesNotAnswerIsLost() throws Exception {
    AttemptRef attempt = submit("true");
    pod(
        attempt,
        """
        {"phase":"Running","containerStatuses":[{"name":"main","state":{"running":
            {"startedAt":"2026-01-01T00:00:00Z"}}}],
          "conditions":[{"type":"DisruptionTarget","status":"True",
            "reason":"DeletionByTaintManager","message":"Taint manager: deleting due to NoExecute taint"}]}
        """);
    cluster.hold(pod(attempt));
    cluster.delete(pod(attempt));

    PlatformEvent.Ended ended = listener.ended(attempt);
    assertThat(listener.started(attempt)).isTrue();
    assertThat(ended.exitCode()).isNull();
    assertThat(ended.reason()).contains("DeletionByTaintManager", "NoExecute taint");
  }

  @Test
  void aJobThatIsOverWhileItsPodLingersEndsAsItWas() throws Exception {
    AttemptRef attempt = submit("true");
    running(attempt);
    condition(attempt, "Failed", "DeadlineExceeded", "Job was active longer than specified");

    PlatformEvent.Ended ended = listener.ended(attempt);
    assertThat(ended.exitCode()).isEqualTo(Verdict.UNKNOWN_CODE);
    assertThat(ended.reason()).contains("DeadlineExceeded").doesNotContain("was deleted");
  }

  @Test
  void eventsOfPodsDelayNoAttemptWhileJobsCannotBeListed() throws Exception {
    restart();
    cluster.fault(
        "list",
        request ->
            request.getMethod().equals("GET") && request.getPath().startsWith(JOBS + "?")
                ? MockCluster.status(503, "ServiceUnavailable", "etcd is away")
                : null);
    AttemptRef attempt = submit("true");
    running(attempt);
    cluster.repair("list");

    Eventually.until("it runs", () -> listener.started(attempt));
  }

  @Test
  void aPodThatMayNotBeMadeIsWhyItsTrialWaits() throws Exception {
    AttemptRef quota = submit("true");
    AttemptRef webhook = submit("true");
    for (AttemptRef attempt : List.of(quota, webhook)) {
      cluster.delete(pod(attempt));
    }
    warn(quota, "Error creating: pods \"x\" is forbidden: exceeded quota: team");
    warn(webhook, "Error creating: admission webhook \"policy\" denied the request: no root");

    Eventually.until(
        "both say why",
        () ->
            waited(quota).stream().anyMatch(why -> why.contains("exceeded quota: team"))
                && waited(webhook).stream().anyMatch(why -> why.contains("denied the request")));
    assertThat(listener.endedOf(quota)).isEmpty();
  }

  /** Adds the event of a controller that cannot make a pod; the mock selects no events. */
  private void warn(AttemptRef attempt, String message) {
    String name = JobName.dashed(attempt);
    ObjectNode list = Json.MAPPER.createObjectNode();
    ObjectNode event = list.putArray("items").addObject();
    event.put("type", "Warning").put("reason", "FailedCreate").put("message", message);
    event.putObject("involvedObject").put("kind", "Job").put("name", name);
    cluster.fault(
        name,
        request -> {
          URI asked = URI.create(request.getPath());
          String selector = "fieldSelector=involvedObject.name=" + name + ",type=Warning";
          return asked.getPath().equals(NAMESPACE + "events") && selector.equals(asked.getQuery())
              ? new MockResponse()
                  .setResponseCode(200)
                  .addHeader("Content-Type", "application/json")
                  .setBody(list.toString())
              : null;
        });
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
    assertThat(cluster.list(SECRETS)).isEmpty();
  }

  @Test
  void aQuotaThatIsUsedUpMakesItWait() throws Exception {
    assertThat(
            refused(
                MockCluster.status(403, "Forbidden", "jobs is forbidden: exceeded quota: team")))
        .isInstanceOfSatisfying(
            Problem.Busy.class, busy -> assertThat(busy.detail()).contains("exceeded quota: team"));
  }

  // ---- what admission refuses ----------------------------------------------------------------

  /** K6. */
  @Test
  void aPodThatAdmissionDeniesFailsItsTrialWhenItIsNotRepaired() throws Exception {
    for (String words :
        List.of(
            "Error creating: pods \"x\" is forbidden: violates PodSecurity \"restricted:latest\"",
            "Error creating: pods \"y\" is forbidden: maximum cpu usage per Container is 1")) {
      AttemptRef attempt = submit("true");
      cluster.delete(pod(attempt));
      warn(attempt, words);

      PlatformEvent.Ended ended = listener.ended(attempt);
      assertThat(ended.exitCode()).isEqualTo(Verdict.UNKNOWN_CODE);
      assertThat(ended.reason()).contains(words);
    }
  }

  /** K6. */
  @Test
  void anImageThatAnInitContainerCannotGetFailsItsTrialWhenItIsNotRepaired() throws Exception {
    AttemptRef attempt = submit("true");
    pod(
        attempt,
        """
        {"phase":"Pending","initContainerStatuses":[{"name":"first","image":"no/such:2","state":
          {"waiting":{"reason":"ImagePullBackOff","message":"Back-off pulling image"}}}]}
        """);

    assertThat(listener.ended(attempt).reason()).contains("no/such:2");
  }

  /** Returns the problem of a submission whose Job is answered like this. */
  private Problem refused(MockResponse answer) {
    cluster.fault(
        "jobs",
        request ->
            request.getMethod().equals("POST") && request.getPath().startsWith(JOBS)
                ? answer
                : null);
    ProblemException failure = catchThrowableOfType(ProblemException.class, () -> submit("true"));
    cluster.repair("jobs");
    return failure.problem();
  }

  @Test
  void whatCannotBePreparedNowIsPreparedLater() throws Exception {
    cluster.fault(
        "away", request -> MockCluster.status(429, "TooManyRequests", "too many requests"));
    ExperimentId experiment = new ExperimentId("other");

    ProblemException failure =
        catchThrowableOfType(
            ProblemException.class,
            () -> {
              TrainingService fresh = open(surroundings());
              try {
                done(fresh.prepare(experiment, job("true")));
              } finally {
                done(fresh.close());
              }
            });
    assertThat(failure.problem())
        .isInstanceOfSatisfying(
            Problem.Busy.class, busy -> assertThat(busy.detail()).contains("throttling"));

    cluster.repair("away");
    done(service.prepare(experiment, job("true")));
  }

  @Test
  void whatIsNotPreparedIsNotSubmitted() throws Exception {
    Submission early =
        new Submission(
            new AttemptRef(new TrialRef(new ExperimentId("other"), new TrialId("t")), 1),
            0,
            submission("t", "true").parameters(),
            job("true"));

    assertThatThrownBy(() -> done(service.submit(early)))
        .isInstanceOfSatisfying(
            ProblemException.class,
            failure -> assertThat(failure.problem()).isInstanceOf(Problem.Busy.class));
    assertThat(cluster.list(JOBS)).isEmpty();
  }

  private void failed(AttemptRef attempt) {
    condition(attempt, "Failed", "X", "y");
  }
}
