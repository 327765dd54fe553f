package io.orrery.compute.runtime.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.compute.kubernetes.MockCluster;
import io.orrery.kubernetes.Cluster;
import io.orrery.kubernetes.ResourceType;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads the flags by which a tester chooses a real cluster. */
class ChosenClusterTest {
  @TempDir Path directory;

  private MockCluster cluster;
  private Path kubeconfig;
  private final Properties properties = new Properties();

  @BeforeEach
  void startCluster() throws Exception {
    cluster = new MockCluster(directory.resolve("node"), true);
    kubeconfig = cluster.kubeconfig(directory.resolve("kubeconfig"));
    properties.setProperty("user.home", directory.toString());
  }

  @AfterEach
  void stopCluster() {
    cluster.close();
  }

  @Test
  void theContextOfTheFlagIsAskedInItsNamespace() throws Exception {
    properties.setProperty(ChosenCluster.CONTEXT, "other");

    ChosenCluster chosen = ChosenCluster.of(properties, kubeconfig.toString());

    assertThat(chosen.image()).contains("python");
    Vertx vertx = Vertx.vertx();
    try {
      Cluster asked = Cluster.open(chosen.address(), vertx);
      assertThat(asked.namespace()).isEqualTo("elsewhere");
      assertThat(asked.list(ResourceType.POD, Map.of())).isEmpty();
      assertThat(cluster.requests())
          .anyMatch(request -> request.contains("/api/v1/namespaces/elsewhere/pods"));
    } finally {
      vertx.close().await();
    }
  }

  @Test
  void furtherFlagsChooseTheFileTheNamespaceAndTheImage() {
    properties.setProperty(ChosenCluster.CONTEXT, "mock");
    properties.setProperty(ChosenCluster.KUBECONFIG, kubeconfig.toString());
    properties.setProperty(ChosenCluster.NAMESPACE, "tests");
    properties.setProperty(ChosenCluster.IMAGE, "hub.example.com/python:3");

    ChosenCluster chosen = ChosenCluster.of(properties, "/no/such/file");

    assertThat(chosen.address().namespace()).isEqualTo("tests");
    assertThat(chosen.address().kubeconfig()).isEqualTo(kubeconfig.toString());
    assertThat(chosen.image()).isEqualTo("hub.example.com/python:3");
  }

  @Test
  void aContextOrAFileThatIsNotThereIsSaidInPlainWords() {
    properties.setProperty(ChosenCluster.CONTEXT, "prod");

    assertThatThrownBy(() -> ChosenCluster.of(properties, kubeconfig.toString()))
        .hasMessage(
            "-Dorrery.kubernetes=prod: the kubeconfig %s has no context 'prod'; it has mock, other"
                .formatted(kubeconfig.toAbsolutePath()));
    assertThatThrownBy(() -> ChosenCluster.of(properties, ""))
        .hasMessage(
            "-Dorrery.kubernetes=prod: there is no kubeconfig %s; name one with -Dorrery.kubeconfig=FILE or KUBECONFIG"
                .formatted(directory.resolve(".kube/config").toAbsolutePath()));
  }
}
