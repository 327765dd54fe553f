package io.orrery.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests how a cluster is found that no configuration names. */
class ClusterTest {
  private static final ClusterAddress ANY = new ClusterAddress(null, null, null);

  @TempDir private Path directory;

  @Test
  void aKubeconfigOfTheEnvironmentNamesServerAndNamespace() throws Exception {
    Path kubeconfig =
        Files.writeString(
            directory.resolve("kubeconfig"),
            """
            apiVersion: v1
            kind: Config
            current-context: mine
            clusters: [{name: there, cluster: {server: "http://192.0.2.7:6443"}}]
            users: [{name: me, user: {token: nothing}}]
            contexts: [{name: mine, context: {cluster: there, user: me, namespace: team}}]
            """);

    found(Map.of("kubeconfig", kubeconfig.toString()), "http://192.0.2.7:6443", "team");
  }

  @Test
  void aServerInAPodUsesTheServiceAccountOfItsPod() throws Exception {
    Path token = Files.writeString(directory.resolve("token"), "secret");
    Path namespace = Files.writeString(directory.resolve("namespace"), "trials");

    found(
        Map.of(
            "kubeconfig",
            directory.resolve("none").toString(),
            "KUBERNETES_SERVICE_HOST",
            "192.0.2.1",
            "KUBERNETES_SERVICE_PORT",
            "443",
            "kubernetes.auth.serviceAccount.token",
            token.toString(),
            "kubenamespace",
            namespace.toString()),
        "https://192.0.2.1:443",
        "trials");
  }

  /** An environment variable or a file of a pod may also be a property. */
  private static void found(Map<String, String> properties, String server, String namespace) {
    properties.forEach(System::setProperty);
    Vertx vertx = Vertx.vertx();
    try (Cluster cluster = Cluster.open(ANY, vertx)) {
      assertThat(cluster.server()).isEqualTo(server);
      assertThat(cluster.namespace()).isEqualTo(namespace);
    } finally {
      properties.keySet().forEach(System::clearProperty);
      vertx.close();
    }
  }
}
