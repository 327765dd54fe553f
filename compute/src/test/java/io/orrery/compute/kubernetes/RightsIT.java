package io.orrery.compute.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.orrery.compute.azure.AzureCloud;
import io.orrery.compute.service.Eventually;
import io.orrery.compute.service.PlatformEvent;
import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceFactory.Surroundings;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Clusters that refuse for want of a token, a right or a namespace, and let the server in again.
 */
class RightsIT extends StillClusterFixture {
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

  // ---- rights and namespaces that go, and come back ------------------------------------------

  /** K3. */
  @Test
  void aTokenThatIsRevokedMakesItWaitUntilTheKubeconfigHasAnother() throws Exception {
    cluster.accept("another");

    assertThat(busy("true")).contains("does not know who asks");

    cluster.accept("nothing");
    AttemptRef attempt = submit("true");
    assertThat(pod(attempt)).isNotBlank();
  }

  /** K3. */
  @Test
  void aRightThatIsTakenAwayMakesItWait() throws Exception {
    cluster.allow(new Rules(Set.of()));

    assertThat(busy("true")).contains("is forbidden");

    cluster.allow(RoleManifestTest.MANIFEST);
    assertThat(pod(submit("true"))).isNotBlank();
  }

  /** K3. */
  @Test
  void aNamespaceThatIsDeletedMakesItWaitForAnother() throws Exception {
    cluster.terminateNamespace();
    assertThat(busy("true")).contains("being terminated");

    cluster.removeNamespace();
    assertThat(busy("true")).contains("not found");

    cluster.createNamespace();
    assertThat(pod(submit("true"))).isNotBlank();
  }

  /** Returns the reason for which a submission waits. */
  private String busy(String command) {
    ProblemException failure = catchThrowableOfType(ProblemException.class, () -> submit(command));
    assertThat(failure.problem()).isInstanceOf(Problem.Busy.class);
    return failure.problem().detail();
  }

  /** K3: what runs goes on, and says why nothing is known of it. */
  @Test
  void whatRunsWhileTheTokenIsRevokedIsUnknownAndGoesOn() throws Exception {
    AttemptRef attempt = submit("true");
    running(attempt);
    Eventually.until("it runs", () -> listener.started(attempt));

    cluster.accept("another");
    cluster.breakWatches();

    Eventually.until(
        "nothing is known of it",
        () ->
            listener.events(attempt).stream()
                .anyMatch(event ->
                    event instanceof PlatformEvent.Unreachable away
                        && away.reason().contains("does not know who asks")));
    cluster.accept("nothing");
    pod(
        attempt,
        """
        {"phase":"Succeeded","containerStatuses":[{"name":"main","state":{"terminated":
          {"exitCode":0,"startedAt":"2026-01-01T00:00:00Z"}}}]}
        """);
    condition(attempt, "Complete", "X", "y");
    assertThat(listener.ended(attempt).exitCode()).isZero();
  }

  // ---- deleting an experiment whose cluster does not let it ----------------------------------

  /** K5: what runs is stopped here, so that its experiment can be deleted. */
  @Test
  void stoppingWithoutATokenEndsTheAttemptAndSaysWhatMayBeLeft() throws Exception {
    AttemptRef attempt = submit("true");
    pod(attempt);
    cluster.accept("another");

    done(service.cancel(attempt));

    PlatformEvent.Ended ended = listener.ended(attempt);
    assertThat(ended.exitCode()).isNull();
    assertThat(ended.reason())
        .contains("canceled", JobName.dashed(attempt) + " may be left", "does not know who asks");
    cluster.accept(null);
    assertThat(done(service.remove(EXPERIMENT))).isEmpty();
    assertThat(cluster.list(JOBS)).isEmpty();
  }

  /** K5. */
  @Test
  void deletingWithoutATokenSaysWhatMayBeLeft() throws Exception {
    AttemptRef attempt = submit("true");
    done(service.cancel(attempt));
    listener.ended(attempt);
    restart();
    cluster.accept("another");

    assertThat(done(service.remove(EXPERIMENT)))
        .singleElement()
        .asString()
        .contains(
            "does not know who asks",
            "kubectl delete jobs.batch,secrets,pods",
            "-l orrery.io/experiment=contract");
    assertThat(home().resolve("experiments/contract/trials")).doesNotExist();
    cluster.accept(null);
  }

  /** K5: the role went with its namespace. */
  @Test
  void deletingWithoutANamespaceSaysWhatMayBeLeft() throws Exception {
    AttemptRef attempt = submit("true");
    done(service.cancel(attempt));
    listener.ended(attempt);
    cluster.allow(new Rules(Set.of()));

    assertThat(done(service.remove(EXPERIMENT)))
        .singleElement()
        .asString()
        .contains("may be left in its cluster");
    cluster.allow(RoleManifestTest.MANIFEST);
  }

  /** K5. */
  @Test
  void deletingWhileTheServerHasNoTimeIsToBeRepeated() throws Exception {
    cluster.fault("busy", request -> MockCluster.status(429, "TooManyRequests", "slow down"));

    assertThatThrownBy(() -> done(service.remove(EXPERIMENT))).hasMessageContaining("slow down");

    cluster.repair("busy");
    assertThat(done(service.remove(EXPERIMENT))).isEmpty();
  }
}
