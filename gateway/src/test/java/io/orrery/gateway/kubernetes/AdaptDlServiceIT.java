package io.orrery.gateway.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compute.adl.AdaptDlServiceFactory;
import io.orrery.compute.service.Eventually;
import io.orrery.compute.service.TrainingServiceFactory;
import io.orrery.core.bus.contract.Trials.Stream;
import io.orrery.core.id.AttemptRef;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** AdaptDLJobs, which may be moved while they run. */
@EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
class AdaptDlServiceIT extends ClusterServiceContract {
  private static final String NAMESPACE = "/api/v1/namespaces/trials/";

  @Override
  TrainingServiceFactory factory() {
    return new AdaptDlServiceFactory();
  }

  @Override
  String container() {
    return "main";
  }

  @Override
  Map<String, Object> settings() {
    return Map.of(
        "dockerImage",
        "python:3",
        "adaptive",
        true,
        "tensorboard",
        true,
        "checkpoint",
        Map.of("storageClass", "fast", "storageSize", "2Gi"),
        "imagePullSecrets",
        List.of(Map.of("name", "registry")),
        "nfs",
        Map.of("server", "10.0.0.9", "path", "/data", "containerMountPath", "/nfs"));
  }

  /** It is in the image: there is no directory here that could be missing. */
  @Override
  protected void aMissingCodeDirectoryIsRefused() {}

  @Override
  boolean movesPods() {
    return true;
  }

  @Override
  protected boolean bringsCode() {
    return false;
  }

  @Test
  void anAttemptThatIsMovedToOtherNodesGoesOn() throws Exception {
    AttemptRef attempt =
        submit(
            REPORT
                + """
                echo "life $ADAPTDL_NUM_RESTARTS"
                if [ "$ADAPTDL_NUM_RESTARTS" = 0 ]; then
                  report PERIODICAL 0 0.5
                  trap 'touch saved; exit 143' TERM
                  while :; do sleep 0.05; done
                fi
                [ -e saved ] && report FINAL 0 0.9
                """);
    Eventually.until("its first report", () -> !listener.points(attempt).isEmpty());

    cluster.terminate(job(attempt));

    assertThat(listener.ended(attempt).exitCode()).isZero();
    assertThat(listener.points(attempt)).hasSize(2);
    assertThat(log(attempt, Stream.STDOUT)).contains("life 0");
  }

  @Test
  void anAttemptThatWasMovedIsCanceledByTheNextServerAsWell() throws Exception {
    AttemptRef attempt =
        submit(
            """
            [ "$ADAPTDL_NUM_RESTARTS" = 0 ] || touch moved
            touch up
            while :; do sleep 0.05; done
            """);
    Eventually.until("it is up", () -> Files.exists(code().resolve("up")));
    cluster.terminate(job(attempt));
    Eventually.until("it goes on elsewhere", () -> Files.exists(code().resolve("moved")));

    restart();
    done(service.cancel(attempt));

    assertThat(runs(attempt)).isFalse();
    assertThat(listener.endedOf(attempt)).hasSize(1);
  }

  @Test
  void checkpointsAndTheBoardAreOnClaimsThatGoWithTheirOwners() throws Exception {
    AttemptRef attempt = submit(AWAIT_GO);
    Eventually.until("it runs", () -> listener.started(attempt));

    JsonNode job = cluster.get(path(attempt));
    assertThat(job.at("/spec/preemptible").booleanValue()).isTrue();
    JsonNode pod = job.at("/spec/template/spec");
    assertThat(pod.at("/imagePullSecrets/0/name").asText()).isEqualTo("registry");
    assertThat(pod.at("/containers/0/volumeMounts").toString())
        .contains("/adaptdl/checkpoint", "/adaptdl/share", "/adaptdl/tensorboard", "/nfs");
    JsonNode claim = cluster.get(NAMESPACE + "persistentvolumeclaims/" + job(attempt));
    assertThat(claim.at("/spec/storageClassName").asText()).isEqualTo("fast");
    assertThat(claim.at("/metadata/ownerReferences/0/uid")).isEqualTo(job.at("/metadata/uid"));
    assertThat(cluster.list("/apis/apps/v1/namespaces/trials/deployments"))
        .singleElement()
        .satisfies(board ->
            assertThat(board.at("/metadata/name").asText())
                .isEqualTo("nni-exp-contract-tensorboard"));

    go();
    listener.ended(attempt);
    done(service.cleanUp(EXPERIMENT));
    Eventually.until(
        "nothing is left",
        () ->
            cluster.list("/apis/apps/v1/namespaces/trials/deployments").isEmpty()
                && cluster.list(NAMESPACE + "persistentvolumeclaims").isEmpty());
  }

  private String path(AttemptRef attempt) {
    return "/apis/adaptdl.petuum.com/v1/namespaces/trials/adaptdljobs/" + job(attempt);
  }
}
