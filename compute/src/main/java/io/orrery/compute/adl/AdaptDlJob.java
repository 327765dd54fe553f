package io.orrery.compute.adl;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.kubernetes.Conditions;
import io.orrery.compute.kubernetes.JobKind;
import io.orrery.compute.kubernetes.JobState;
import io.orrery.compute.kubernetes.JobState.Phase;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.json.Json;
import io.orrery.kubernetes.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An AdaptDLJob. One that adapts may be given more or fewer nodes while it runs: its pods are ended
 * and begin again from a checkpoint, which therefore lies on a claim of the attempt.
 *
 * @param volumes what of a cluster's storage its pods mount
 */
record AdaptDlJob(boolean adaptive, Volumes volumes) implements JobKind {
  static final String CONTAINER = "main";

  private static final ResourceType RESOURCE =
      new ResourceType("adaptdl.petuum.com", "v1", "AdaptDLJob", "adaptdljobs");

  private static final Map<String, Phase> PHASES =
      Map.of(
          "Pending", Phase.WAITING,
          "Starting", Phase.WAITING,
          "Running", Phase.RUNNING,
          "Stopping", Phase.RUNNING,
          "Succeeded", Phase.SUCCEEDED,
          "Failed", Phase.FAILED);

  /**
   * The volumes of a job.
   *
   * @param checkpoints whether they survive a pod, on a claim
   * @param storageClass of claims; null for the cluster's default
   * @param size of a claim, such as {@code 1Gi}
   * @param board whether an experiment has a TensorBoard
   * @param nfs {@code server}, {@code path} and {@code containerMountPath}; null for none
   * @param pullSecrets {@code name} each
   */
  record Volumes(
      boolean checkpoints,
      @Nullable String storageClass,
      String size,
      boolean board,
      @Nullable JsonNode nfs,
      JsonNode pullSecrets) {}

  @Override
  public ResourceType resource() {
    return RESOURCE;
  }

  @Override
  public ObjectNode spec(List<RolePods> roles) {
    ObjectNode spec = Json.MAPPER.createObjectNode();
    spec.put("preemptible", adaptive).set("template", roles.getFirst().template());
    return spec;
  }

  @Override
  public boolean restarts() {
    return adaptive;
  }

  @Override
  public JobState state(JsonNode status) {
    String phase = status.path("phase").asText();
    return Conditions.state(PHASES.getOrDefault(phase, Phase.WAITING), status)
        .at(status.path("completionTimestamp"));
  }

  @Override
  public List<ObjectNode> companions(String name) {
    return volumes.checkpoints() ? List.of(claim(name)) : List.of();
  }

  @Override
  public List<ObjectNode> shared(ExperimentId experiment) {
    if (!volumes.board()) {
      return List.of();
    }
    String name = TensorBoard.name(experiment);
    return List.of(claim(name), TensorBoard.deployment(name));
  }

  @Override
  public List<ResourceType> companionTypes() {
    List<ResourceType> types = new ArrayList<>();
    if (volumes.checkpoints() || volumes.board()) {
      types.add(ResourceType.CLAIM);
    }
    if (volumes.board()) {
      types.add(ResourceType.DEPLOYMENT);
    }
    return types;
  }

  private ObjectNode claim(String name) {
    ObjectNode claim =
        Json.MAPPER
            .createObjectNode()
            .put("apiVersion", "v1")
            .put("kind", ResourceType.CLAIM.kind());
    claim.putObject("metadata").put("name", name);
    ObjectNode spec = claim.putObject("spec");
    spec.putArray("accessModes").add("ReadWriteMany");
    spec.putObject("resources").putObject("requests").put("storage", volumes.size());
    if (volumes.storageClass() != null) {
      spec.put("storageClassName", volumes.storageClass());
    }
    return claim;
  }

  @Override
  public ObjectNode pod(String name, ExperimentId experiment) {
    ObjectNode template = Json.MAPPER.createObjectNode();
    ObjectNode spec = template.putObject("spec");
    ArrayNode list = spec.putArray("volumes");
    ObjectNode container = spec.putArray("containers").addObject().put("name", CONTAINER);
    container.put("imagePullPolicy", "Always");
    ArrayNode mounts = container.putArray("volumeMounts");
    ArrayNode env = container.putArray("env");
    variable(env, "ADAPTDL_CHECKPOINT_PATH", "/adaptdl/checkpoint");
    variable(env, "ADAPTDL_SHARE_PATH", "/adaptdl/share");
    variable(env, "ADAPTDL_TENSORBOARD_LOGDIR", TensorBoard.LOGS);
    ObjectNode own = list.addObject().put("name", "adaptdl");
    if (volumes.checkpoints()) {
      own.putObject("persistentVolumeClaim").put("claimName", name);
    } else {
      own.putObject("emptyDir");
    }
    mount(mounts, "adaptdl", "/adaptdl/checkpoint").put("subPath", "adaptdl/checkpoint");
    mount(mounts, "adaptdl", "/adaptdl/share").put("subPath", "adaptdl/share");
    if (volumes.board()) {
      list.addObject()
          .put("name", "tensorboard")
          .putObject("persistentVolumeClaim")
          .put("claimName", TensorBoard.name(experiment));
      mount(mounts, "tensorboard", TensorBoard.LOGS);
    }
    JsonNode nfs = volumes.nfs();
    if (nfs != null) {
      list.addObject()
          .put("name", "nfs")
          .putObject("nfs")
          .put("server", nfs.path("server").asText())
          .put("path", nfs.path("path").asText());
      mount(mounts, "nfs", nfs.path("containerMountPath").asText());
    }
    if (!volumes.pullSecrets().isEmpty()) {
      spec.set("imagePullSecrets", volumes.pullSecrets());
    }
    return template;
  }

  private static void variable(ArrayNode env, String name, String value) {
    env.addObject().put("name", name).put("value", value);
  }

  private static ObjectNode mount(ArrayNode mounts, String volume, String path) {
    return mounts.addObject().put("name", volume).put("mountPath", path);
  }
}
