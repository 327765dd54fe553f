package io.orrery.compute.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.section.CommonKeys;
import io.orrery.compute.section.ServiceSection;
import io.orrery.core.schema.Field;
import io.orrery.core.schema.Schema;
import io.orrery.core.schema.ValueType;
import io.orrery.core.schema.Walk;
import java.util.List;

/**
 * The section of a service whose trials are pods of a Kubernetes cluster: the keys that all of them
 * take, and the checks of several keys together.
 */
public abstract class ClusterSection implements ServiceSection {
  protected static final String AT = "/trainingService";
  private static final ValueType TEXT = new ValueType.Text();
  private static final ValueType FLAG = new ValueType.Flag();
  private static final ValueType FILE = new ValueType.File();
  private static final ValueType COUNT = new ValueType.Whole(1, 10_000);
  private static final String NNI_IMAGE = "msranni/nni:latest";

  /** Keys of a storage that name another place than the server. */
  private static final List<String> ELSEWHERE =
      List.of("server", "path", "claimName", "azureAccount", "azureShare", "keyVaultName");

  public static final Schema STORAGE =
      Schema.of(
          Field.of(
                  "storageType",
                  new ValueType.Word(List.of("server", "nfs", "pvc", "azureStorage")),
                  "where outputs go besides the server")
              .or("server"),
          Field.of("server", TEXT, "name or address of the NFS server"),
          Field.of(
              "path",
              TEXT,
              "the directory that the NFS server exports; with pvc, one within the claim"),
          Field.of("claimName", TEXT, "the PersistentVolumeClaim"),
          Field.of("azureAccount", TEXT, "the Azure storage account"),
          Field.of("azureShare", TEXT, "the share of the Azure storage account"),
          Field.of(
              "azureSecretName",
              TEXT,
              "a Secret of the namespace with azurestorageaccountname and azurestorageaccountkey, instead of a Key Vault"),
          Field.of("keyVaultName", TEXT, "the Azure Key Vault"),
          Field.of("keyVaultKey", TEXT, "the secret of the Key Vault that is the account's key"),
          Field.of("uploadRetryCount", COUNT, "how often Azure is asked, while it has no time; 3"));

  protected static final Field OWN_TEMPLATE =
      Field.of(
          "podTemplate",
          new ValueType.AnyObject(),
          "fields of the template of this role's pods, by strategic merge");

  public static final Schema ROLE =
      Schema.of(
              Field.of("replicas", COUNT, "how many pods").or(1),
              Field.of("command", TEXT, "the shell command; trialCommand when it is not set"),
              Field.of("codeDirectory", new ValueType.Directory(true), "where its code lies"),
              OWN_TEMPLATE)
          .and(pod(NNI_IMAGE));

  protected static final Field REPORTING =
      Field.of(
          "reportingRole",
          TEXT,
          "the role whose first pod reports and speaks for the trial; the chief, the master, or else the workers, of task roles the first");

  /** Before the kinds' own keys, so that they come first in lists. */
  protected static final Schema CLUSTER =
      CommonKeys.SCHEMA.and(
          Schema.of(
              Field.of(
                  "cluster",
                  TEXT,
                  "a Kubernetes cluster of the server's configuration, by its name in clusters; that of the project when it is not set"),
              Field.of(
                  "namespace",
                  TEXT,
                  "the namespace; that of trials in the cluster, or that of the context when it is not set"),
              Field.of(
                  "kubeconfig",
                  FILE,
                  "how to reach the cluster; KUBECONFIG, ~/.kube/config or the server's own pod when it is not set"),
              Field.of("context", TEXT, "the context of the kubeconfig"),
              Field.of(
                  "storage", new ValueType.Section(STORAGE), "where outputs go besides the server"),
              Field.of("serviceAccountName", TEXT, "the service account of the pods"),
              Field.of(
                  "podTemplate",
                  new ValueType.AnyObject(),
                  "fields of every pod's template, by strategic merge"),
              Field.of(
                      "ttlSecondsAfterFinished",
                      new ValueType.Whole(0, 31_536_000),
                      "how long a job that has ended stays in the cluster")
                  .or(3_600),
              Field.of("reuseMode", FLAG, "whether pods serve one trial after another").or(false),
              Field.of(
                      "environmentIdle",
                      new ValueType.Span(),
                      "with reuseMode: how long a pod waits for another trial")
                  .or("2m"),
              Field.of(
                      "maxTrialNumberPerGpu",
                      COUNT,
                      "with reuseMode: how many trials of a pod may share one of its GPUs")
                  .or(1)));

  /** What a pod is made of, without how many and what it runs. */
  protected static Schema pod(String image) {
    return Schema.of(
        Field.of("dockerImage", TEXT, "the image of the container").or(image),
        Field.of("gpuNumber", new ValueType.Whole(0, 1_000), "GPUs of a pod; 0 hides them"),
        Field.of("cpuNumber", new ValueType.Above(0), "processors of a pod"),
        Field.of("memorySize", new ValueType.Size(), "memory of a pod"),
        Field.of(
            "privateRegistryAuthPath",
            FILE,
            "a Docker config.json that opens the image's registry"));
  }

  /** Checks and completes what only this service has, before the rest. */
  protected void own(ObjectNode root, ObjectNode service, Walk walk) {}

  /** The roles of a trial's pods: the section itself where they have none. */
  protected List<JsonNode> roles(ObjectNode service) {
    return List.of(service);
  }

  /** The names of the roles, in the order in which they speak for the attempt. */
  protected List<String> roleNames(ObjectNode service) {
    return List.of();
  }

  /** Whether the operator ends a trial's pods to move it to other nodes. */
  protected boolean movesTrials() {
    return false;
  }

  @Override
  public final void read(ObjectNode root, ObjectNode service, Walk walk) {
    CommonKeys.inherit(root, service, "nniManagerIp");
    own(root, service, walk);
    reporting(service, walk);
    storage(service.path("storage"), walk);
    reuse(root, service, walk);
  }

  /** The first role that has a command speaks for the trial, when nothing else does. */
  protected static void inherit(ObjectNode service, JsonNode role) {
    if (!service.has("trialCommand") && role.has("command")) {
      service.set("trialCommand", role.get("command"));
    }
  }

  private void reporting(ObjectNode service, Walk walk) {
    String wanted = service.path("reportingRole").textValue();
    List<String> names = roleNames(service);
    if (wanted != null && !names.contains(wanted)) {
      walk.refuse(
          AT + "/reportingRole",
          "must be one of the trial's roles (%s), this is '%s'"
              .formatted(String.join(", ", names), wanted));
    }
  }

  /** Pods serve many trials only where a trial has one pod that stays where it is. */
  private void reuse(ObjectNode root, ObjectNode service, Walk walk) {
    List<JsonNode> roles = roles(service);
    long pods =
        roles.stream()
            .mapToLong(role -> role.path("replicas").asLong(role.path("taskNumber").asLong(1)))
            .sum();
    boolean wanted = service.path("reuseMode").booleanValue();
    if (wanted && (pods != 1 || movesTrials())) {
      walk.notice(
          walk.places().name(AT + "/reuseMode")
              + " has no effect: "
              + (movesTrials()
                  ? "the operator moves a trial by ending its pods."
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

  private static void storage(JsonNode storage, Walk walk) {
    String at = AT + "/storage/";
    switch (storage.path("storageType").asText()) {
      case "nfs" -> need(storage, at, walk, "server", "path");
      case "pvc" -> need(storage, at, walk, "claimName");
      case "azureStorage" -> {
        need(storage, at, walk, "azureShare");
        if (!storage.has("azureSecretName")) {
          need(storage, at, walk, "azureAccount", "keyVaultName", "keyVaultKey");
        }
        // They become parts of addresses.
        named(storage, at, "azureAccount", 3, 31, walk);
        named(storage, at, "azureShare", 3, 63, walk);
        named(storage, at, "keyVaultName", 1, 127, walk);
        named(storage, at, "keyVaultKey", 1, 127, walk);
      }
      default -> notUsed(storage, walk);
    }
  }

  /** Outputs come to the server alone: keys that name another place are told to have no effect. */
  private static void notUsed(JsonNode storage, Walk walk) {
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

  private static void named(
      JsonNode storage, String at, String key, int least, int most, Walk walk) {
    String name = storage.path(key).asText("");
    if (storage.has(key) && !name.matches("[0-9a-zA-Z-]{" + least + "," + most + "}")) {
      walk.refuse(
          at + key,
          "must be %d to %d letters, digits and dashes, this is '%s'".formatted(least, most, name));
    }
  }

  private static void need(JsonNode storage, String at, Walk walk, String... keys) {
    for (String key : keys) {
      if (!storage.has(key) && !walk.excused(at + key)) {
        walk.refuse(
            at + key, "is missing: storage " + storage.path("storageType").asText() + " needs it");
      }
    }
  }
}
