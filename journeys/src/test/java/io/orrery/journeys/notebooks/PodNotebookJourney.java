package io.orrery.journeys.notebooks;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.kubernetes.MockCluster;
import io.orrery.core.file.DirectoryTree;
import io.orrery.core.json.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;

/** Notebooks in pods of a cluster whose pods are processes of this machine. */
abstract class PodNotebookJourney extends NotebookJourney {
  static final String ON_KUBE = ",\"cluster\":\"kube\",\"image\":\"jupyter:1\"";
  private static final String CLAIMS = "/api/v1/namespaces/trials/persistentvolumeclaims";

  /** The node mounts no claim: its directory is that of the machine, which no person has. */
  final Path mounted = Path.of("/mnt", owner());

  MockCluster cluster;

  @Override
  String owner() {
    return "orrery-test-" + ProcessHandle.current().pid();
  }

  @Override
  String configuration() throws Exception {
    assumeTrue(Files.isWritable(Path.of("/mnt")), "/mnt is not writable");
    cluster = new MockCluster(temp.resolve("node"), true);
    cluster.allow(Path.of("../deploy/kubernetes/rbac.yaml"));
    Path kubeconfig = cluster.kubeconfig(temp.toAbsolutePath().resolve("kubeconfig"));
    return "auth: {users: true, sandbox: none}\nclusters: {kube: {runtime: kubernetes, kubeconfig: '%s', namespaces: {notebook: trials, service: elsewhere}}}\n"
        .formatted(kubeconfig);
  }

  @AfterEach
  void stopCluster() throws Exception {
    if (cluster != null) {
      cluster.close();
    }
    DirectoryTree.delete(mounted);
  }

  void claim(String name) {
    ObjectNode claim = Json.MAPPER.createObjectNode();
    claim.put("apiVersion", "v1").put("kind", "PersistentVolumeClaim");
    claim.putObject("metadata").put("name", name);
    cluster.create(CLAIMS, claim);
  }
}
