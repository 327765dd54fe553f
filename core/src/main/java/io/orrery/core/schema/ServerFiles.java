package io.orrery.core.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Pointer;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The rules for authors who may not name each file, variable and cluster of the server: what such a
 * name opens is opened with the server's own rights, and may be sent to a host of the author's.
 */
public final class ServerFiles {
  /** Texts that stand for a secret of the server, or for one that was sealed for another author. */
  private static final Pattern SECRET = Pattern.compile("(env|file|sealed):.*", Pattern.DOTALL);

  private static final String MOUNT =
      "the server writes there; use storage that it reaches over the network";

  private static final String CLUSTER =
      "name a cluster of the server's configuration by cluster, or leave it out for that of the"
          + " project";

  private static final Map<String, String> KEYS =
      Map.of(
          "kubeconfig",
          CLUSTER,
          "context",
          CLUSTER,
          "namespace",
          "leave it out: pods of trials are in the namespace that the server's configuration"
              + " gives the cluster",
          "serviceAccountName",
          "leave it out: the pods of others have no account of the cluster",
          "azureSecretName",
          "leave it out, and name a Key Vault: Secrets of the namespace are not those of one"
              + " user",
          "imagePullSecrets",
          "leave it out: pods have the pull secrets of their project",
          "podTemplate",
          "leave it out, and use the keys for image, memory, processors and GPUs",
          "localMountPoint",
          MOUNT,
          "localStorageMountPoint",
          MOUNT);

  private ServerFiles() {}

  /** Whether an author may write this text in the place of a secret. */
  static boolean maySay(String secret, Walk walk) {
    return walk.paths().all() || !SECRET.matcher(secret).matches();
  }

  /**
   * Refuses clusters, namespaces, accounts, Secrets and templates of pods, and mounts of the
   * server, wherever they stand in the canonical form.
   */
  public static void check(ObjectNode root, Walk walk) {
    if (!walk.paths().all()) {
      look(root.path("trainingService"), "/trainingService", walk);
      look(root.path("sharedStorage"), "/sharedStorage", walk);
    }
  }

  private static void look(JsonNode node, String at, Walk walk) {
    if (node.isArray()) {
      for (int i = 0; i < node.size(); i++) {
        look(node.get(i), Pointer.child(at, i), walk);
      }
    }
    for (Map.Entry<String, JsonNode> entry : node.properties()) {
      String child = Pointer.child(at, entry.getKey());
      String instead = KEYS.get(entry.getKey());
      if (instead == null) {
        look(entry.getValue(), child, walk);
      } else {
        walk.refuse(child, "may be set by administrators only: " + instead);
      }
    }
  }
}
