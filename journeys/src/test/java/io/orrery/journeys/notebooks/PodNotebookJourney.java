package io.orrery.journeys.notebooks;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.kubernetes.MockCluster;
import io.orrery.core.file.DirectoryTree;
import io.orrery.core.json.Json;
import io.orrery.journeys.ServerUsers.Reply;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;

/** Notebooks in pods of a cluster whose pods are processes of this machine. */
abstract class PodNotebookJourney extends NotebookJourney {
  static final String ON_KUBE = ",\"cluster\":\"kube\",\"image\":\"jupyter:1\"";
  private static final String CLAIMS = "/api/v1/namespaces/trials/persistentvolumeclaims";

  /** The node mounts no claim: its directory is that of the machine, which no person has. */
  final Path mounted = Path.of("/mnt", owner());

  final String files = "/api/v1/files/" + owner();

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

  /** Starts the notebook ann-1 with both claims, and waits until it runs. */
  void running() throws Exception {
    claim("kubeflow-user-workspace");
    claim("kubeflow-archives");
    Files.createDirectories(mounted);
    create(ON_KUBE);
    awaitStatus("RUNNING", "IDLE");
  }

  /** A path below the files of ann, in the claim of that notebook. */
  static String at(String path) {
    return path + (path.contains("?") ? "&" : "?") + "notebook=ann-1";
  }

  Reply send(String method, String path, String body, String... headers) throws Exception {
    return users.send(ann, method, files + at(path), body, headers);
  }
}
