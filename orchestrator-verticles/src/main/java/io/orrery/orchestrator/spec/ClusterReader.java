package io.orrery.orchestrator.spec;

import io.orrery.core.schema.Keys;
import io.orrery.core.schema.Walk;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Set;

/** The checks of several keys together for a platform on Kubernetes. */
final class ClusterReader {
  /** Keys of a storage that name another place than the server. */
  private static final List<String> ELSEWHERE =
      List.of("server", "path", "claimName", "azureAccount", "azureShare", "keyVaultName");

  private static final String AT = "/trainingService";
  private static final Set<String> PLATFORMS =
      Set.of("kubernetes", "kubeflow", "frameworkcontroller", "adl");

  /** In the order in which they speak for the attempt. */
  private static final List<String> ROLES = List.of("chief", "master", "worker", "ps", "evaluator");

  private final Walk walk;

  ClusterReader(Walk walk) {
    this.walk = walk;
  }

  static boolean reads(String platform) {
    return PLATFORMS.contains(platform);
  }

  /**
   * @param root the canonical top level
   * @param service the section, with its defaults; gets what it inherits and what roles give
   */
  void read(String platform, ObjectNode root, ObjectNode service) {
    if (!service.has("nniManagerIp") && root.has("nniManagerIp")) {
      service.set("nniManagerIp", root.get("nniManagerIp"));
    }
    switch (platform) {
      case "kubeflow" -> kubeflow(service);
      case "frameworkcontroller" -> frameworkcontroller(service);
      // Nothing of this machine goes there; the file need not name a directory.
      case "adl" -> {
        if (!root.has("trialCodeDirectory") && !service.has("trialCodeDirectory")) {
          service.put("trialCodeDirectory", "/");
        }
      }
      default -> {}
    }
    reporting(platform, service);
    storage(service.path("storage"));
    reuse(platform, root, service);
  }

  private void reporting(String platform, ObjectNode service) {
    String wanted = service.path("reportingRole").textValue();
    List<String> names =
        platform.equals("kubeflow")
            ? ROLES.stream().filter(service::has).toList()
            : service
                .path("taskRoles")
                .valueStream()
                .map(role -> role.path("name").asText())
                .toList();
    if (wanted != null && !names.contains(wanted)) {
      walk.refuse(
          AT + "/reportingRole",
          "must be one of the trial's roles (%s), this is '%s'"
              .formatted(String.join(", ", names), wanted));
    }
  }

  /** Pods serve many trials only where a trial has one pod that stays where it is. */
  private void reuse(String platform, ObjectNode root, ObjectNode service) {
    List<JsonNode> roles = roles(platform, service);
    long pods =
        roles.stream()
            .mapToLong(role -> role.path("replicas").asLong(role.path("taskNumber").asLong(1)))
            .sum();
    boolean wanted = service.path("reuseMode").booleanValue();
    boolean moves = platform.equals("adl");
    if (wanted && (pods != 1 || moves)) {
      walk.notice(
          walk.places().name(AT + "/reuseMode")
              + " has no effect: "
              + (moves
                  ? "AdaptDL moves a trial by ending its pods."
                  : "a trial of %d pods is a job of its own.".formatted(pods)));
      service.put("reuseMode", false);
    }
    boolean shared = service.path("maxTrialNumberPerGpu").longValue() > 1;
    if (shared && !service.path("reuseMode").booleanValue()) {
      walk.notice(
          "maxTrialNumberPerGpu has no effect without reuseMode: every trial is a job of its own.");
    }
    if (service.path("reuseMode").booleanValue()) {
      JsonNode present = roles.getFirst().path("gpuNumber");
      JsonNode wish = (service.has("trialGpuNumber") ? service : root).path("trialGpuNumber");
      if (present.isNumber() && wish.longValue() > present.longValue()) {
        walk.refuse(
            "/trialGpuNumber",
            "is %d, and the pods that trials share have %d: %s"
                .formatted(
                    wish.longValue(),
                    present.longValue(),
                    walk.older() == null ? "gpuNumber" : "gpuNum"));
      }
    }
  }

  private static List<JsonNode> roles(String platform, ObjectNode service) {
    return switch (platform) {
      case "kubeflow" -> ROLES.stream().filter(service::has).map(service::path).toList();
      case "frameworkcontroller" -> service.path("taskRoles").valueStream().toList();
      default -> List.of(service);
    };
  }

  private void kubeflow(ObjectNode service) {
    boolean pytorch = service.path("operator").asText().equals("pytorch-operator");
    if (pytorch) {
      for (String role : List.of("ps", "chief", "evaluator")) {
        if (service.has(role)) {
          walk.refuse(
              AT + "/" + role, "is a role of tf-operator; pytorch-operator has master and worker");
        }
      }
      if (!service.has("master") && !walk.excused(AT + "/master")) {
        walk.refuse(AT + "/master", "is missing: pytorch-operator needs a master");
      }
      if (service.path("master").path("replicas").intValue() > 1) {
        walk.refuse(AT + "/master/replicas", "must be 1: pytorch-operator takes one master");
      }
    } else if (service.has("operator")
        && ROLES.stream().noneMatch(service::has)
        && !walk.excused(AT + "/worker")) {
      walk.refuse(AT + "/worker", "is missing: tf-operator needs at least a worker");
    }
    for (String role : ROLES) {
      inherit(service, service.path(role));
    }
  }

  private void frameworkcontroller(ObjectNode service) {
    boolean written = service.has("configPath");
    new FrameworkTemplate(walk).read(service);
    JsonNode roles = service.path("taskRoles");
    if (roles.isMissingNode() && !written && !walk.excused(AT + "/taskRoles")) {
      walk.refuse(AT + "/taskRoles", "is missing: the roles of a trial, or a configPath");
    }
    if (roles.isArray() && roles.isEmpty()) {
      walk.refuse(AT + "/taskRoles", "must have at least one role");
    }
    for (int i = 0; i < roles.size(); i++) {
      String name = roles.get(i).path("name").asText("a");
      if (!name.matches("[a-z0-9]{1,31}")) {
        walk.refuse(
            AT + "/taskRoles/" + i + "/name",
            "must be 1 to 31 lower-case letters and digits, this is '" + name + "'");
      }
      inherit(service, roles.get(i));
    }
  }

  /** The first role that has a command speaks for the trial, when nothing else does. */
  private static void inherit(ObjectNode service, JsonNode role) {
    if (!service.has("trialCommand") && role.has("command")) {
      service.set("trialCommand", role.get("command"));
    }
  }

  private void storage(JsonNode storage) {
    String at = AT + "/storage/";
    switch (storage.path("storageType").asText()) {
      case "nfs" -> need(storage, at, "server", "path");
      case "pvc" -> need(storage, at, "claimName");
      case "azureStorage" -> {
        need(storage, at, "azureShare");
        if (!storage.has("azureSecretName")) {
          need(storage, at, "azureAccount", "keyVaultName", "keyVaultKey");
        }
        // They become parts of addresses.
        named(storage, at, "azureAccount", 3, 31);
        named(storage, at, "azureShare", 3, 63);
        named(storage, at, "keyVaultName", 1, 127);
        named(storage, at, "keyVaultKey", 1, 127);
      }
      default -> notUsed(storage);
    }
  }

  /** Outputs come to the server alone: keys that name another place are told to have no effect. */
  private void notUsed(JsonNode storage) {
    List<String> keys =
        ELSEWHERE.stream()
            .filter(storage::has)
            .map(key -> walk.places().name(AT + "/storage/" + key))
            .toList();
    if (!keys.isEmpty()) {
      walk.notice(
          "storage: %s without effect, since storageType is server: write nfs, pvc or azureStorage"
              .formatted(String.join(", ", keys) + (keys.size() == 1 ? " is" : " are")));
    }
  }

  private void named(JsonNode storage, String at, String key, int least, int most) {
    String name = storage.path(key).asText("");
    if (storage.has(key) && !name.matches("[0-9a-zA-Z-]{" + least + "," + most + "}")) {
      walk.refuse(
          at + key,
          "must be %d to %d letters, digits and dashes, this is '%s'".formatted(least, most, name));
    }
  }

  private void need(JsonNode storage, String at, String... keys) {
    for (String key : keys) {
      if (!storage.has(key) && !walk.excused(at + key)) {
        walk.refuse(
            at + key, "is missing: storage " + storage.path("storageType").asText() + " needs it");
      }
    }
  }
}
