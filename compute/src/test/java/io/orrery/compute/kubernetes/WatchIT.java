package io.orrery.compute.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.mockwebserver.http.MockResponse;
import io.orrery.compute.azure.AzureCloud;
import io.orrery.compute.service.Eventually;
import io.orrery.compute.service.PlatformEvent;
import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceFactory.Surroundings;
import io.orrery.core.id.AttemptRef;
import java.net.URI;
import java.nio.file.Files;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Watches that are lost, and what has happened when they are back. */
class WatchIT extends StillClusterFixture {
  private static final String RUNNING =
      """
      {"phase":"Running","containerStatuses":[{"name":"main","state":{"running":
        {"startedAt":"2026-01-01T00:00:00Z"}}}]}
      """;

  private static final String SUCCEEDED =
      """
      {"phase":"Succeeded","containerStatuses":[{"name":"main","state":{"terminated":
        {"exitCode":0,"startedAt":"2026-01-01T00:00:00Z"}}}]}
      """;

  /** How an API server tells within a stream that it does not remember a version any more. */
  private static final String EXPIRED =
      """
      {"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","status":"Failure","code":410,      "reason":"Expired","message":"too old resource version: 1 (2)"}}
      """;

  private Cable cable;

  @Override
  protected void beforeService() throws Exception {
    super.beforeService();
    cable = new Cable(URI.create(cluster.url()).getPort());
    Files.writeString(kubeconfig, Files.readString(kubeconfig).replace(cluster.url(), cable.url()));
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

  @AfterEach
  void repair() throws Exception {
    cable.repair();
  }

  @Override
  protected void afterService() throws Exception {
    cable.close();
    super.afterService();
  }

  @Test
  void aRunningTrialIsUnknownWhileNothingIsHeardOfItAndIsTakenUpAgain() throws Exception {
    AttemptRef attempt = running();

    cable.cut();
    Eventually.until("it is said to be out of sight", () -> isOutOfSight(attempt));
    assertThat(listener.endedOf(attempt)).isEmpty();

    cable.repair();
    succeed(attempt);

    assertThat(listener.ended(attempt).exitCode()).isZero();
  }

  @Test
  void eventsWithoutAWatchAreSeenAfterwards() throws Exception {
    AttemptRef ends = running();
    AttemptRef goes = running();

    cable.cut();
    Eventually.until("both are out of sight", () -> isOutOfSight(ends) && isOutOfSight(goes));
    succeed(ends);
    cluster.delete(job(goes));
    Eventually.until("its pod is gone", () -> cluster.list(PODS).size() == 1);
    expire(WatchIT::gone);
    cable.repair();

    assertThat(listener.ended(ends).exitCode()).isZero();
    assertThat(listener.ended(goes).reason()).contains("was deleted from the cluster");
  }

  @Test
  void aVersionThatHasExpiredIsListedAnew() throws Exception {
    expires(WatchIT::gone);
  }

  @Test
  void aVersionThatExpiresWithinTheStreamIsListedAnew() throws Exception {
    expires(() ->
        new MockResponse()
            .setResponseCode(200)
            .addHeader("Content-Type", "application/json")
            .setBody(EXPIRED.strip() + "\n"));
  }

  /** The watches are cut, and what they left off at is not known any more when they come back. */
  private void expires(Supplier<MockResponse> answer) throws Exception {
    AttemptRef attempt = running();
    Set<String> listed = expire(answer);

    cable.cut();
    cable.repair();
    Eventually.until("both are listed anew", () -> listed.size() == 2);
    succeed(attempt);

    assertThat(listener.ended(attempt).exitCode()).isZero();
  }

  /**
   * Answers watches so until their client has listed again.
   *
   * @return the types that were listed since
   */
  private Set<String> expire(Supplier<MockResponse> answer) {
    Set<String> listed = ConcurrentHashMap.newKeySet();
    cluster.fault(
        "expired",
        request -> {
          URI uri = URI.create(request.getPath());
          boolean ours = uri.getQuery() != null && uri.getQuery().contains("managed-by=orrery");
          boolean watches = ours && uri.getQuery().contains("watch=true");
          if (ours && !watches) {
            listed.add(uri.getPath());
          }
          return watches && !listed.contains(uri.getPath()) ? answer.get() : null;
        });
    return listed;
  }

  private static MockResponse gone() {
    return MockCluster.status(410, "Expired", "too old resource version: 1 (2)");
  }

  private AttemptRef running() throws Exception {
    AttemptRef attempt = submit("true");
    pod(attempt, RUNNING);
    Eventually.until("it runs", () -> listener.started(attempt));
    return attempt;
  }

  private void succeed(AttemptRef attempt) throws Exception {
    pod(attempt, SUCCEEDED);
    condition(attempt, "Complete", "X", "y");
  }

  private boolean isOutOfSight(AttemptRef attempt) {
    return listener.events(attempt).stream().anyMatch(PlatformEvent.Unreachable.class::isInstance);
  }
}
