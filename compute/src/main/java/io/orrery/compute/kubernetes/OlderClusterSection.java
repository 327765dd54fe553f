package io.orrery.compute.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.section.OlderPlaces;
import io.orrery.compute.section.OlderSection;
import io.orrery.core.json.Pointer;
import io.orrery.core.schema.Keys;
import io.orrery.core.schema.Walk;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The section of a service on Kubernetes in NNI's first version: roles of pods in {@code trial},
 * and the storage among the keys of the section.
 */
public class OlderClusterSection extends OlderSection {
  private static final Map<String, String> ROLE_KEYS =
      Map.of(
          "gpuNum", "gpuNumber",
          "cpuNum", "cpuNumber",
          "memoryMB", "memorySize",
          "image", "dockerImage",
          "codeDir", "codeDirectory",
          "taskNum", "taskNumber",
          "minSucceededTaskCount", "minSucceedTaskCount");

  private static final Map<String, String> ROLE =
      table(
          "name", "name",
          "replicas", "replicas",
          "taskNum", "taskNumber",
          "command", "command",
          "gpuNum", "gpuNumber",
          "cpuNum", "cpuNumber",
          "memoryMB", "memorySize",
          "image", "dockerImage",
          "privateRegistryAuthPath", "privateRegistryAuthPath");

  /** Of the platform's own section; v3 pointers below {@code /trainingService}. */
  private static final Map<String, String> CONFIG =
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

  /** The role that is a list of them. */
  private static final String LIST = "taskRoles";

  /** The roles that NNI's converter knows. */
  private static final List<String> CONVERTED = List.of("worker", "ps", "master");

  private static final List<String> NESTED = List.of("nfs", "pvc", "azureStorage", "keyVault");

  private final List<String> roles;

  /**
   * @param roles the keys of {@code trial} that are roles, or lists of them; with none the section
   *     has no storage either
   */
  public OlderClusterSection(
      String name, Map<String, String> own, Map<String, String> trial, List<String> roles) {
    super(List.of(name), own, trial);
    this.roles = List.copyOf(roles);
  }

  @Override
  public boolean take(
      String section, String key, JsonNode value, String written, ObjectNode v3, Walk walk) {
    Optional<String> role = Keys.find(key, roles);
    if (section.equals("trial") && role.isPresent()) {
      String to = "/trainingService/" + role.get();
      walk.places().put(to, written);
      service(v3).set(role.get(), renamed(value, to, written, walk));
      return true;
    }
    if (!section.isEmpty()) {
      return super.take(section, key, value, written, v3, walk);
    }
    if (!isNamed(key) || !value.isObject()) {
      return false;
    }
    config(value, "", written, v3, walk);
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

  @Override
  public void places(JsonNode v1, String at, OlderPlaces places) {
    super.places(v1, at, places);
    if (roles.isEmpty()) {
      return;
    }
    CONFIG.forEach((path, to) -> places.nested("/" + nameIn(v1), path, at + to));
    for (String role : roles) {
      places.put("/trial", role, at + "/" + role);
      if (role.equals(LIST)) {
        places.elements(v1.path("trial"), "/trial/" + role, ROLE, at + "/" + role);
      } else {
        places.put("/trial/" + role, ROLE, at + "/" + role);
      }
    }
  }

  @Override
  public void convert(JsonNode v1, ObjectNode service) {
    super.convert(v1, service);
    if (roles.isEmpty()) {
      return;
    }
    storage(in(v1), service);
    JsonNode trial = v1.path("trial");
    for (String name : roles) {
      if (name.equals(LIST) && trial.has(name)) {
        ArrayNode list = service.putArray(name);
        trial.get(name).forEach(role -> list.add(role(role)));
      } else if (CONVERTED.contains(name) && trial.has(name)) {
        ObjectNode role = role(trial.get(name));
        if (trial.has("codeDir")) {
          role.set("codeDirectory", trial.get("codeDir"));
        }
        service.set(name, role);
      }
    }
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
  private static boolean isMount(JsonNode claim) {
    return claim.asText().contains("/");
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
      String name = Keys.find(key, ROLE_KEYS.keySet()).map(ROLE_KEYS::get).orElse(key);
      String place = Pointer.child(to, name);
      walk.places().put(place, Pointer.child(own, key));
      renamed.set(name, renamed(entry.getValue(), place, Pointer.child(own, key), walk));
    }
    return renamed;
  }

  private static ObjectNode role(JsonNode v1) {
    ObjectNode role = rename(v1, ROLE, JsonNodeFactory.instance.objectNode());
    if (role.has("memorySize")) {
      role.set("memorySize", megabytes(role.get("memorySize")));
    }
    JsonNode policy = v1.path("frameworkAttemptCompletionPolicy");
    if (policy.isObject()) {
      role.set(
          "frameworkAttemptCompletionPolicy",
          rename(
              policy,
              table(
                  "minFailedTaskCount", "minFailedTaskCount",
                  "minSucceededTaskCount", "minSucceedTaskCount"),
              JsonNodeFactory.instance.objectNode()));
    }
    return role;
  }

  private static void storage(JsonNode section, ObjectNode service) {
    String type = section.path("storage").asText("nfs");
    ObjectNode storage = service.putObject("storage").put("storageType", type);
    switch (type) {
      case "nfs" ->
          section.path(type).properties().forEach(e -> storage.set(e.getKey(), e.getValue()));
      case "pvc" -> {
        JsonNode claim = section.at("/pvc/path");
        if (isMount(claim)) {
          storage.put("storageType", "server");
        } else {
          storage.set("claimName", claim);
        }
      }
      case "azureStorage" -> {
        rename(
            section.path("azureStorage"),
            table("accountName", "azureAccount", "azureShare", "azureShare"),
            storage);
        rename(
            section.path("keyVault"),
            table("vaultName", "keyVaultName", "name", "keyVaultKey"),
            storage);
        rename(section, table("uploadRetryCount", "uploadRetryCount"), storage);
      }
      default -> {}
    }
  }
}
