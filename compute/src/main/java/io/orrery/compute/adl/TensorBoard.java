package io.orrery.compute.adl;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.kubernetes.JobName;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.json.Json;
import io.orrery.kubernetes.ResourceType;

/**
 * The TensorBoard of an experiment, over a claim that all of its trials write to. It listens within
 * its own pod only: {@code kubectl port-forward} leads there, for who may use it.
 */
final class TensorBoard {
  static final String LOGS = "/adaptdl/tensorboard";

  private static final String IMAGE = "tensorflow/tensorflow:latest";
  private static final int PORT = 6006;

  private TensorBoard() {}

  static String name(ExperimentId experiment) {
    return JobName.shared(experiment, "tensorboard");
  }

  /**
   * @param name its own, and that of the claim that it reads
   */
  static ObjectNode deployment(String name) {
    ObjectNode deployment =
        Json.MAPPER
            .createObjectNode()
            .put("apiVersion", ResourceType.DEPLOYMENT.apiVersion())
            .put("kind", ResourceType.DEPLOYMENT.kind());
    deployment.putObject("metadata").put("name", name);
    ObjectNode spec = deployment.putObject("spec");
    spec.put("replicas", 1).putObject("selector").putObject("matchLabels").put("app", name);
    ObjectNode template = spec.putObject("template");
    template.putObject("metadata").putObject("labels").put("app", name);
    ObjectNode pod = template.putObject("spec").put("automountServiceAccountToken", false);
    pod.putArray("volumes")
        .addObject()
        .put("name", "logs")
        .putObject("persistentVolumeClaim")
        .put("claimName", name);
    ObjectNode container = pod.putArray("containers").addObject();
    container.put("name", "tensorboard").put("image", IMAGE);
    container.putArray("command").add("tensorboard").add("--logdir=" + LOGS).add("--port=" + PORT);
    container.putArray("ports").addObject().put("containerPort", PORT);
    container
        .putArray("volumeMounts")
        .addObject()
        .put("name", "logs")
        .put("mountPath", LOGS)
        .put("readOnly", true);
    return deployment;
  }
}
