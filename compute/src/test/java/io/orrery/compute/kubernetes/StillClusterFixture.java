package io.orrery.compute.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compute.service.Eventually;
import io.orrery.compute.service.PlatformEvent;
import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceFactory.Surroundings;
import io.orrery.compute.service.TrainingServiceFixture;
import io.orrery.core.experiment.TrainingServiceSpec;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.json.Json;
import io.orrery.core.trial.Parameters;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A cluster in which nothing runs: the test itself moves the pods and jobs that are made. */
abstract class StillClusterFixture extends TrainingServiceFixture {
  static final String NAMESPACE = "/api/v1/namespaces/trials/";
  static final String JOBS = "/apis/batch/v1/namespaces/trials/jobs";
  static final String PODS = NAMESPACE + "pods";
  static final String SECRETS = NAMESPACE + "secrets";

  /** Quick to say that nothing comes any more. */
  static final ClusterTimeouts BRIEF =
      new ClusterTimeouts(
          Duration.ofMillis(200),
          Duration.ofSeconds(1),
          Duration.ofSeconds(1),
          Duration.ofSeconds(5),
          Duration.ofSeconds(5),
          Duration.ofMillis(300),
          Duration.ofMillis(300),
          Duration.ofMillis(300),
          Duration.ofMillis(300));

  /** The platform's keys; a test may change them before it prepares or submits. */
  final Map<String, Object> settings = new HashMap<>();

  MockCluster cluster;
  Path kubeconfig;

  @Override
  protected void beforeService() throws Exception {
    cluster = new MockCluster(directory.resolve("node"), false);
    kubeconfig = cluster.kubeconfig(directory.resolve("kubeconfig"));
    settings.put("kubeconfig", kubeconfig.toString());
    settings.put("dockerImage", "python:3");
  }

  @Override
  protected TrainingServiceSpec platform() {
    return new TrainingServiceSpec("kubernetes", new Parameters(settings));
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
  protected void afterService() throws Exception {
    cluster.close();
  }

  /** The path of the attempt's pod, once its controller has made it. */
  String pod(AttemptRef attempt) throws Exception {
    String prefix = JobName.dashed(attempt);
    Eventually.until("a pod of " + attempt, () -> !pods(prefix).isEmpty());
    return PODS + "/" + pods(prefix).getFirst().at("/metadata/name").asText();
  }

  /** Gives the attempt's pod a status. */
  void pod(AttemptRef attempt, String status) throws Exception {
    cluster.setStatus(pod(attempt), Json.parse(status));
  }

  /** Has the attempt's pod run. */
  void running(AttemptRef attempt) throws Exception {
    pod(
        attempt,
        """
        {"phase":"Running","containerStatuses":[{"name":"main","state":{"running":
            {"startedAt":"2026-01-01T00:00:00Z"}}}]}
        """);
  }

  private List<JsonNode> pods(String prefix) {
    return cluster.list(PODS).stream()
        .filter(pod -> pod.at("/metadata/name").asText().startsWith(prefix))
        .toList();
  }

  /** The path of the attempt's job. */
  static String job(AttemptRef attempt) {
    return JOBS + "/" + JobName.dashed(attempt);
  }

  /** Gives the attempt's job a condition, such as {@code Complete}. */
  void condition(AttemptRef attempt, String type, String reason, String message) {
    String status =
        """
        {"conditions":[{"type":"%s","status":"True","reason":"%s","message":"%s"}]}
        """
            .formatted(type, reason, message);
    cluster.setStatus(job(attempt), Json.parse(status));
  }

  /** Why the attempt was said to wait, in order. */
  List<String> waited(AttemptRef attempt) {
    return listener.events(attempt).stream()
        .filter(PlatformEvent.Waiting.class::isInstance)
        .map(event -> ((PlatformEvent.Waiting) event).reason())
        .toList();
  }
}
