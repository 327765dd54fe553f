package io.orrery.orchestrator.spec;

import io.orrery.core.schema.Keys;
import io.orrery.core.schema.Walk;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.orrery.core.text.Nearest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The sections of a v1 file that say where trials run, as the {@code trainingService} of v3, for
 * every platform that NNI ever had. What NNI's own converter leaves out is here as well: DLTS,
 * AdaptDL, hybrid, volumes of a claim, and where a registry's credentials are.
 */
final class V1Platforms {
  private static final String AT = "/trainingService";
  private static final JsonNodeFactory MAKE = JsonNodeFactory.instance;

  static final Map<String, String> MACHINE =
      table(
          "ip", "host",
          "port", "port",
          "username", "user",
          "passwd", "password",
          "sshKeyPath", "sshKeyFile",
          "passphrase", "sshPassphrase",
          "gpuIndices", "gpuIndices",
          "maxTrialNumPerGpu", "maxTrialNumberPerGpu",
          "useActiveGpu", "useActiveGpu",
          "pythonPath", "pythonPath");

  /** Keys of a machine that have no effect here. */
  static final List<String> MACHINE_INERT = List.of("preCommand");

  /** Keys of {@code trial} that OpenPAI on YARN had, and that have no effect here. */
  static final List<String> YARN_INERT =
      List.of("authFile", "shmMB", "portList", "dataDir", "outputDir", "gpuType");

  static final Map<String, String> ROLE =
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

  /** The keys of a platform's own section, and of {@code trial}. */
  record Tables(String section, Map<String, String> own, Map<String, String> trial) {
    /** Whether a key of the top level is the platform's section; OpenPAI's has had two names. */
    boolean isNamed(String key) {
      return Keys.same(key, section)
          || (section.equals("paiConfig") && Keys.same(key, "paiYarnConfig"));
    }

    /** The name of the section in a v1 file, as it is written there. */
    String nameIn(JsonNode v1) {
      return v1.properties().stream()
          .map(Map.Entry::getKey)
          .filter(this::isNamed)
          .findFirst()
          .orElse(section);
    }

    /** The platform's section of a v1 file; missing when it has none. */
    JsonNode in(JsonNode v1) {
      return v1.properties().stream()
          .filter(entry -> isNamed(entry.getKey()))
          .<JsonNode>map(Map.Entry::getValue)
          .findFirst()
          .orElse(MissingNode.getInstance());
    }
  }

  private static final Map<String, Tables> PLATFORMS =
      Map.of(
          "local",
          new Tables(
              "localConfig",
              table(
                  "gpuIndices", "gpuIndices",
                  "maxTrialNumPerGpu", "maxTrialNumberPerGpu",
                  "useActiveGpu", "useActiveGpu"),
              Map.of()),
          "remote",
          new Tables("remoteConfig", table("reuse", "reuseMode"), Map.of()),
          "openpai",
          new Tables(
              "paiConfig",
              table(
                  "host", "host",
                  "userName", "username",
                  "token", "token",
                  "passWord", "password",
                  "reuse", "reuseMode",
                  "gpuNum", "trialGpuNumber",
                  "cpuNum", "trialCpuNumber",
                  "memoryMB", "trialMemorySize",
                  "maxTrialNumPerGpu", "maxTrialNumberPerGpu",
                  "useActiveGpu", "useActiveGpu"),
              table(
                  "cpuNum", "trialCpuNumber",
                  "memoryMB", "trialMemorySize",
                  "image", "dockerImage",
                  "virtualCluster", "virtualCluster",
                  "paiStorageConfigName", "storageConfigName",
                  "paiConfigPath", "openpaiConfigFile",
                  "nniManagerNFSMountPath", "localStorageMountPoint",
                  "containerNFSMountPath", "containerStorageMountPoint")),
          "kubeflow",
          new Tables(
              "kubeflowConfig",
              table(
                  "operator", "operator",
                  "apiVersion", "apiVersion",
                  "namespace", "namespace",
                  "reuse", "reuseMode"),
              Map.of()),
          "frameworkcontroller",
          new Tables(
              "frameworkcontrollerConfig",
              table(
                  "serviceAccountName", "serviceAccountName",
                  "configPath", "configPath",
                  "namespace", "namespace",
                  "reuse", "reuseMode"),
              Map.of()),
          "aml",
          new Tables(
              "amlConfig",
              table(
                  "subscriptionId", "subscriptionId",
                  "resourceGroup", "resourceGroup",
                  "workspaceName", "workspaceName",
                  "computeTarget", "computeTarget",
                  "maxTrialNumPerGpu", "maxTrialNumberPerGpu",
                  "useActiveGpu", "useActiveGpu"),
              table("image", "dockerImage")),
          "dlts",
          new Tables(
              "dltsConfig",
              table(
                  "dashboard", "dashboard",
                  "cluster", "cluster",
                  "team", "team",
                  "email", "email",
                  "password", "password"),
              table("image", "dockerImage")),
          "adl",
          new Tables(
              "adlConfig",
              Map.of(),
              table(
                  "codeDir", "codeDirectory",
                  "image", "dockerImage",
                  "namespace", "namespace",
                  "imagePullSecrets", "imagePullSecrets",
                  "nfs", "nfs",
                  "adaptive", "adaptive",
                  "checkpoint", "checkpoint",
                  "cpuNum", "cpuNumber",
                  "memorySize", "memorySize")));

  private V1Platforms() {}

  /**
   * Adds the {@code trainingService} of a platform that cannot be had, so that the v3 schema can
   * judge it, and remembers where its keys were written.
   */
  static void unavailable(JsonNode v1, String platform, ObjectNode v3, Walk walk) {
    if (platform.equals("hybrid")) {
      String names = "/hybridConfig/trainingServicePlatforms";
      walk.places().put(AT, names);
      JsonNode several = service(v1, platform);
      v3.set("trainingService", several);
      for (int i = 0; i < several.size(); i++) {
        remember(v1, several.get(i).path("platform").asText(), AT + "/" + i, walk);
        walk.places().put(AT + "/" + i, names + "/" + i);
        walk.places().put(AT + "/" + i + "/platform", names + "/" + i);
      }
    } else if (CloudSchemas.of(platform) != null) {
      v3.set("trainingService", service(v1, platform));
      remember(v1, platform, AT, walk);
    }
  }

  private static void remember(JsonNode v1, String platform, String at, Walk walk) {
    Tables tables = PLATFORMS.get(platform);
    if (tables == null) {
      return;
    }
    V1Places keys = new V1Places();
    keys.add(v1, platform, at);
    keys.tell(walk.places());
    String section = "/" + tables.nameIn(v1);
    for (Map.Entry<String, JsonNode> entry : tables.in(v1).properties()) {
      if (Keys.find(entry.getKey(), tables.own().keySet()).isEmpty()) {
        walk.here(
            section + "/" + entry.getKey(),
            "'"
                + entry.getKey()
                + "' is not a known key"
                + Nearest.hint(entry.getKey(), tables.own().keySet()));
      }
    }
  }

  /** The tables of a platform; null when it has no section of its own. */
  static @Nullable Tables tablesOrNull(String platform) {
    return PLATFORMS.get(platform);
  }

  /** The tables of a platform that has a section of its own. */
  static Tables tables(String platform) {
    return Objects.requireNonNull(PLATFORMS.get(platform), platform);
  }

  /** The {@code trainingService}: an object, or a list where several platforms share the trials. */
  static JsonNode service(JsonNode v1, String platform) {
    if (!platform.equals("hybrid")) {
      return one(v1, platform);
    }
    ArrayNode several = MAKE.arrayNode();
    for (JsonNode name : v1.path("hybridConfig").path("trainingServicePlatforms")) {
      several.add(one(v1, PlatformSchemas.canonical(name.asText())));
    }
    return several;
  }

  private static ObjectNode one(JsonNode v1, String platform) {
    ObjectNode service = MAKE.objectNode().put("platform", platform);
    Tables tables = PLATFORMS.get(platform);
    if (tables == null) {
      return service;
    }
    JsonNode section = tables.in(v1);
    JsonNode trial = v1.path("trial");
    rename(section, tables.own(), service);
    rename(trial, tables.trial(), service);
    switch (platform) {
      case "remote" -> {
        ArrayNode machines = service.putArray("machineList");
        v1.path("machineList")
            .forEach(machine -> machines.add(rename(machine, MACHINE, MAKE.objectNode())));
      }
      case "openpai" -> megabytes(service, "trialMemorySize");
      case "kubeflow" -> {
        storage(section, service);
        for (String name : List.of("worker", "ps", "master")) {
          if (trial.has(name)) {
            ObjectNode role = role(trial.get(name));
            if (trial.has("codeDir")) {
              role.set("codeDirectory", trial.get("codeDir"));
            }
            service.set(name, role);
          }
        }
      }
      case "frameworkcontroller" -> {
        storage(section, service);
        if (trial.has("taskRoles")) {
          ArrayNode roles = service.putArray("taskRoles");
          trial.get("taskRoles").forEach(role -> roles.add(role(role)));
        }
      }
      default -> {}
    }
    return service;
  }

  private static ObjectNode role(JsonNode v1) {
    ObjectNode role = rename(v1, ROLE, MAKE.objectNode());
    megabytes(role, "memorySize");
    JsonNode policy = v1.path("frameworkAttemptCompletionPolicy");
    if (policy.isObject()) {
      role.set(
          "frameworkAttemptCompletionPolicy",
          rename(
              policy,
              table(
                  "minFailedTaskCount", "minFailedTaskCount",
                  "minSucceededTaskCount", "minSucceedTaskCount"),
              MAKE.objectNode()));
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
        if (V1Cluster.isMount(claim)) {
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

  /** v3 reads a bare number as megabytes too; the unit says so to whoever reads the file. */
  private static void megabytes(ObjectNode node, String key) {
    if (node.path(key).isNumber()) {
      node.set(key, TextNode.valueOf(node.get(key).asText() + "mb"));
    }
  }

  private static ObjectNode rename(JsonNode from, Map<String, String> names, ObjectNode into) {
    names.forEach((older, newer) -> {
      JsonNode value = from.get(older);
      if (value != null && !value.isNull()) {
        into.set(newer, value);
      }
    });
    return into;
  }

  private static Map<String, String> table(String... olderAndNewer) {
    Map<String, String> table = new LinkedHashMap<>();
    for (int i = 0; i < olderAndNewer.length; i += 2) {
      table.put(olderAndNewer[i], olderAndNewer[i + 1]);
    }
    return table;
  }
}
