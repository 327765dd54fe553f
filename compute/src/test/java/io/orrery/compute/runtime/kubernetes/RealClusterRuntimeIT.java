package io.orrery.compute.runtime.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.compute.runtime.Runtime;
import io.orrery.compute.runtime.RuntimeContract;
import io.orrery.compute.runtime.replica.ReplicaSettings;
import io.orrery.compute.secret.SecretBox;
import io.orrery.compute.service.ImageLogins;
import io.orrery.core.access.OriginPasses;
import io.orrery.core.time.SystemClock;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.kubernetes.Cluster;
import io.orrery.kubernetes.ResourceType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the cases of every runtime on a real cluster, which {@code -Dorrery.kubernetes=CONTEXT} of a
 * kubeconfig chooses. The addresses of pods must be reachable from this machine, as they are from a
 * node of the cluster. Pods, Services and Secrets of the tests have the label of a server of their
 * own, and are deleted with it; nothing else in the namespace is touched.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
@EnabledIfSystemProperty(named = ChosenCluster.CONTEXT, matches = ".+")
class RealClusterRuntimeIT extends RuntimeContract {
  private static ChosenCluster chosen;

  @TempDir Path directory;

  @BeforeAll
  static void choose() {
    chosen = ChosenCluster.now();
  }

  private Path home() {
    return directory.resolve("home").toAbsolutePath();
  }

  @Override
  protected Runtime open() {
    return new KubernetesRuntime(
        vertx,
        new KubernetesCluster(
            "real", chosen.address(), chosen.address(), chosen.address(), chosen.address()),
        home(),
        ImageLogins.NONE,
        new SecretBox(home(), Map.of()),
        new PodFiles("http://127.0.0.1:8080", OriginPasses.unknown(), null),
        new SystemClock(vertx),
        RandomGenerator.getDefault(),
        ReplicaSettings.DEFAULT);
  }

  @Override
  protected String image() {
    return chosen.image();
  }

  @Override
  protected void assertNothingLeftOf(WorkloadRef workload) throws Exception {
    Map<String, String> ours = PodNames.of(home(), "real").ours();
    Cluster cluster = Cluster.open(chosen.address(), vertx);
    assertThat(cluster.list(ResourceType.POD, ours)).isEmpty();
    assertThat(cluster.list(ResourceType.SECRET, ours)).isEmpty();
    assertThat(Files.exists(home().resolve("clusters/real").resolve(workload.segment()))).isFalse();
  }
}
