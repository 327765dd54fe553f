package io.orrery.gateway.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compute.kubernetes.JobName;
import io.orrery.compute.kubernetes.MockCluster;
import io.orrery.compute.service.Eventually;
import io.orrery.compute.service.PlatformEvent;
import io.orrery.compute.service.Submission;
import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceFactory;
import io.orrery.compute.service.TrainingServiceFactory.Surroundings;
import io.orrery.core.experiment.TrainingServiceSpec;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.trial.Parameters;
import io.orrery.gateway.keeper.KeptServiceContract;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The contract of every platform, run with a kind of job of a cluster: keepers run as the processes
 * of pods and talk to the real edge, and the server may do no more there than the role that we hand
 * out.
 */
abstract class ClusterServiceContract extends KeptServiceContract {
  private static final Path ROLE = Path.of("../deploy/kubernetes/rbac.yaml");

  private static final String PODS = "/api/v1/namespaces/trials/pods";

  /** Others' definitions of the operators' kinds; not part of this repository. */
  private static final Path DEFINITIONS =
      Path.of(System.getProperty("orrery.definitions", "../../shared/crds"));

  protected MockCluster cluster;
  private Path kubeconfig;

  /** The platform, and its keys besides those that all have. */
  abstract TrainingServiceFactory factory();

  abstract Map<String, Object> settings();

  /** The container that the command runs in. */
  abstract String container();

  /** What the job of an attempt is called. */
  String job(AttemptRef attempt) {
    return JobName.dashed(attempt);
  }

  @Override
  protected TrainingServiceSpec platform() {
    Map<String, Object> all = new HashMap<>(settings());
    all.put("kubeconfig", kubeconfig.toString());
    all.put("ttlSecondsAfterFinished", 60);
    all.put("podTemplate", Map.of("spec", Map.of("containers", List.of(quick()))));
    return new TrainingServiceSpec(factory().platform(), new Parameters(all));
  }

  /** What ignores SIGTERM is not waited for as long as in life. */
  private Map<String, Object> quick() {
    return Map.of(
        "name", container(), "env", List.of(Map.of("name", "ORRERY_KEEPER_GRACE", "value", "0.5")));
  }

  @Override
  protected void beforeService() throws Exception {
    cluster = new MockCluster(directory.resolve("node"), true);
    cluster.allow(ROLE);
    cluster.serve("kubeflow.org", "v1", "TFJob", "tfjobs");
    cluster.serve("kubeflow.org", "v1", "PyTorchJob", "pytorchjobs");
    cluster.serve("frameworkcontroller.microsoft.com", "v1", "Framework", "frameworks");
    if (Files.isDirectory(DEFINITIONS)) {
      cluster.define(DEFINITIONS);
    }
    kubeconfig = cluster.kubeconfig(directory.resolve("kubeconfig"));
    edge.start(vertx, bus, home());
  }

  @Override
  protected void afterService() throws Exception {
    cluster.close();
  }

  @Override
  protected TrainingService open(Surroundings surroundings) {
    edge.tellDurable();
    return factory().open(surroundings);
  }

  @Override
  protected void lose(AttemptRef attempt) throws Exception {
    cluster.lose(job(attempt));
  }

  @Override
  protected boolean runs(AttemptRef attempt) throws Exception {
    return cluster.runs(job(attempt));
  }

  /** Whether a pod that is taken away begins again elsewhere, so that nothing is lost. */
  boolean movesPods() {
    return false;
  }

  /** K4: a command that is ended by SIGTERM tells 143, whatever has sent it. */
  @Test
  void whatTheClusterTakesAwayIsLost() throws Exception {
    AttemptRef job = submit("touch job; " + AWAIT_GO);
    AttemptRef pod = submit("touch pod; " + AWAIT_GO);
    AttemptRef evicted = submit("touch evicted; " + AWAIT_GO);
    for (String each : List.of("job", "pod", "evicted")) {
      Eventually.until(each + " runs", () -> Files.exists(code().resolve(each)));
    }

    cluster.delete(jobPath(podOf(job)));
    assertThatItIsLost(job, "its job");
    if (movesPods()) {
      return;
    }
    cluster.delete(PODS + "/" + podOf(pod).at("/metadata/name").asText());
    assertThatItIsLost(pod, "was deleted from the cluster");
    cluster.evict(PODS + "/" + podOf(evicted).at("/metadata/name").asText());
    assertThatItIsLost(evicted, "EvictionByEvictionAPI");
  }

  private void assertThatItIsLost(AttemptRef attempt, String why) throws Exception {
    PlatformEvent.Ended ended = listener.ended(attempt);
    assertThat(ended.exitCode()).as("%s", ended).isNull();
    assertThat(ended.reason()).contains(why);
  }

  /** The job in whose pod an attempt runs. */
  String jobThatRuns(AttemptRef attempt) throws Exception {
    return job(attempt);
  }

  private JsonNode podOf(AttemptRef attempt) throws Exception {
    String job = jobThatRuns(attempt);
    return cluster.list(PODS).stream()
        .filter(pod -> pod.at("/metadata/ownerReferences/0/name").asText().equals(job))
        .findFirst()
        .orElseThrow();
  }

  private static String jobPath(JsonNode pod) {
    JsonNode owner = pod.at("/metadata/ownerReferences/0");
    return "/apis/%s/namespaces/trials/%ss/%s"
        .formatted(
            owner.path("apiVersion").asText(),
            owner.path("kind").asText().toLowerCase(Locale.ROOT),
            owner.path("name").asText());
  }

  @Test
  void anOwnerThatReleasesDoesNothingMoreAndTheNextGoesOn() throws Exception {
    Submission submission = leftRunning();
    AttemptRef attempt = submission.attempt();

    takeOver();
    List<PlatformEvent> told = toldBefore.events(attempt);
    int sinceThen = cluster.requests().size();
    assertThat(done(service.adopt(List.of(submission)))).isEmpty();
    assertThatTheOneBeforeRefuses(attempt);
    go();

    assertThat(listener.ended(attempt).exitCode()).isEqualTo(5);
    assertThat(toldBefore.events(attempt)).isEqualTo(told);
    assertThat(cluster.requests().subList(sinceThen, cluster.requests().size()))
        .as("nothing is made, changed or removed")
        .allMatch(request -> request.startsWith("GET "));
    assertThat(Files.readAllLines(code().resolve("runs"))).hasSize(1);
    done(before.close());
  }
}
