package io.orrery.orchestrator.spec;

import io.orrery.core.schema.Keys;
import io.orrery.core.schema.Walk;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Pointer;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Translates those parts of a v1 file that only platforms on Kubernetes have. What has no other
 * name in v3 goes there under its own, so that an unknown key is found by the v3 schema, at the
 * place where its author wrote it.
 */
final class V1Cluster {
  private static final Map<String, String> ROLE =
      Map.of(
          "gpuNum", "gpuNumber",
          "cpuNum", "cpuNumber",
          "memoryMB", "memorySize",
          "image", "dockerImage",
          "codeDir", "codeDirectory",
          "taskNum", "taskNumber",
          "minSucceededTaskCount", "minSucceedTaskCount");

  /** The keys of {@code trial} that are roles, by platform. */
  static final Map<String, List<String>> ROLES =
      Map.of(
          "kubeflow", List.of("worker", "ps", "master", "chief", "evaluator"),
          "frameworkcontroller", List.of("taskRoles"),
          "kubernetes", List.of(),
          "adl", List.of());

  /** Of {@code trial}, where there are no roles: v3 keys of the platform's section. */
  private static final Map<String, String> ADL =
      Map.of(
          "image", "dockerImage",
          "cpuNum", "cpuNumber",
          "memorySize", "memorySize",
          "namespace", "namespace",
          "adaptive", "adaptive",
          "checkpoint", "checkpoint",
          "imagePullSecrets", "imagePullSecrets",
          "nfs", "nfs");

  /** Of the platform's own section; v3 pointers below {@code /trainingService}. */
  static final Map<String, String> CONFIG =
      Map.ofEntries(
          Map.entry("reuse", "/reuseMode"),
          Map.entry("storage", "/storage/storageType"),
          Map.entry("uploadRetryCount", "/storage/uploadRetryCount"),
          Map.entry("nfs/server", "/storage/server"),
          Map.entry("nfs/path", "/storage/path"),
          Map.entry("pvc/path", "/storage/claimName"),
          Map.entry("azureStorage/accountName", "/storage/azureAccount"),
          Map.entry("azureStorage/azureShare", "/storage/azureShare"),
          Map.entry("keyVault/vaultName", "/storage/keyVaultName"),
          Map.entry("keyVault/name", "/storage/keyVaultKey"));

  private static final List<String> NESTED = List.of("nfs", "pvc", "azureStorage", "keyVault");

  private V1Cluster() {}

  /**
   * Takes a key that no other platform knows.
   *
   * @param section the v1 section that it stands in, empty for the top level
   * @param own the author's pointer of the key
   * @return whether it was one of this platform
   */
  static boolean take(
      @Nullable String platform,
      String section,
      String key,
      JsonNode value,
      String own,
      ObjectNode v3,
      Walk walk) {
    if (platform == null || !ROLES.containsKey(platform)) {
      return false;
    }
    List<String> roles = ROLES.getOrDefault(platform, List.of());
    if (section.equals("trial") && Keys.find(key, roles).isPresent()) {
      String name = Keys.find(key, roles).orElse(key);
      String to = "/trainingService/" + name;
      walk.places().put(to, own);
      service(v3).set(name, renamed(value, to, own, walk));
      return true;
    }
    if (platform.equals("adl") && section.equals("trial")) {
      String name = Keys.find(key, ADL.keySet()).map(ADL::get).orElse(null);
      if (name != null) {
        walk.places().put("/trainingService/" + name, own);
        service(v3).set(name, value);
      }
      return name != null;
    }
    if (section.isEmpty() && Keys.same(key, platform + "Config") && value.isObject()) {
      config(value, "", own, v3, walk);
      ObjectNode storage = service(v3).withObjectProperty("storage");
      if (!storage.has("storageType")) {
        inferStorage(storage);
      }
      if (isMount(storage.path("claimName"))) {
        storage.put("storageType", "server").remove("claimName");
        walk.notice(
            "pvc.path is where NNI's manager had a claim mounted, which does not tell the claim's"
                + " name: outputs come to the server alone. For outputs on the claim write its"
                + " name there.");
      }
      return true;
    }
    return false;
  }

  /** NNI's first version takes NFS where it is written, and else Azure's storage. */
  private static void inferStorage(ObjectNode storage) {
    if (storage.has("server")) {
      storage.put("storageType", "nfs");
    } else if (storage.has("azureAccount") || storage.has("azureShare")) {
      storage.put("storageType", "azureStorage");
    }
  }

  /** Whether what stands for a claim is a directory of the machine that NNI's manager ran on. */
  static boolean isMount(JsonNode claim) {
    return claim.asText().contains("/");
  }

  /** Where the code lies is a directory of the image, on AdaptDL, and none of this machine. */
  static void codeInImage(@Nullable String platform, ObjectNode v3, Walk walk) {
    JsonNode directory = "adl".equals(platform) ? v3.remove("trialCodeDirectory") : null;
    if (directory != null) {
      walk.places()
          .put("/trainingService/codeDirectory", walk.places().written("/trialCodeDirectory"));
      service(v3).set("codeDirectory", directory);
    }
    JsonNode gpus = "adl".equals(platform) ? v3.get("trialGpuNumber") : null;
    if (gpus != null) {
      service(v3).set("gpuNumber", gpus);
    }
  }

  private static ObjectNode service(ObjectNode v3) {
    return v3.withObjectProperty("trainingService");
  }

  private static void config(JsonNode section, String path, String own, ObjectNode v3, Walk walk) {
    for (Map.Entry<String, JsonNode> entry : section.properties()) {
      String key = entry.getKey();
      String here = Pointer.child(own, key);
      String known = path + Keys.find(key, known(path)).orElse(key);
      if (path.isEmpty() && NESTED.contains(known) && entry.getValue().isObject()) {
        config(entry.getValue(), known + "/", here, v3, walk);
        continue;
      }
      String to =
          CONFIG.getOrDefault(
              known, path.isEmpty() ? "/" + known : "/storage/" + known.substring(path.length()));
      walk.places().put("/trainingService" + to, here);
      if (to.startsWith("/storage/")) {
        walk.places().put("/trainingService/storage", own);
        service(v3)
            .withObjectProperty("storage")
            .set(to.substring("/storage/".length()), entry.getValue());
      } else {
        service(v3).set(to.substring(1), entry.getValue());
      }
    }
  }

  private static List<String> known(String path) {
    return CONFIG.keySet().stream()
        .filter(key -> key.startsWith(path))
        .map(key -> key.substring(path.length()))
        .map(key -> key.contains("/") ? key.substring(0, key.indexOf('/')) : key)
        .distinct()
        .toList();
  }

  /** A role, or a list of them, with the keys that v3 calls otherwise. */
  private static JsonNode renamed(JsonNode given, String to, String own, Walk walk) {
    if (given instanceof ArrayNode list) {
      ArrayNode renamed = list.arrayNode();
      for (int i = 0; i < list.size(); i++) {
        renamed.add(renamed(list.get(i), Pointer.child(to, i), Pointer.child(own, i), walk));
      }
      return renamed;
    }
    if (!(given instanceof ObjectNode object)) {
      return given;
    }
    ObjectNode renamed = object.objectNode();
    for (Map.Entry<String, JsonNode> entry : object.properties()) {
      String key = entry.getKey();
      String name = Keys.find(key, ROLE.keySet()).map(ROLE::get).orElse(key);
      String place = Pointer.child(to, name);
      walk.places().put(place, Pointer.child(own, key));
      renamed.set(name, renamed(entry.getValue(), place, Pointer.child(own, key), walk));
    }
    return renamed;
  }
}
