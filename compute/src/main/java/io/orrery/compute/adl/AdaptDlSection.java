package io.orrery.compute.adl;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.kubernetes.ClusterSection;
import io.orrery.compute.section.OlderSection;
import io.orrery.core.schema.Field;
import io.orrery.core.schema.Schema;
import io.orrery.core.schema.ValueType;
import io.orrery.core.schema.Walk;

/** The section of trials that are jobs of AdaptDL. */
public final class AdaptDlSection extends ClusterSection {
  private static final ValueType TEXT = new ValueType.Text();
  private static final ValueType FLAG = new ValueType.Flag();

  public static final Schema CHECKPOINT =
      Schema.of(
          Field.of("storageClass", TEXT, "the storage class; the cluster's own when it is not set"),
          Field.of("storageSize", TEXT, "how much is claimed, such as 1Gi").or("1Gi"));

  public static final Schema NFS =
      Schema.of(
          Field.of("server", TEXT, "name or address of the NFS server").asRequired(),
          Field.of("path", TEXT, "the directory that it exports").asRequired(),
          Field.of("containerMountPath", TEXT, "where pods see it").asRequired());

  public static final Schema PULL_SECRET =
      Schema.of(Field.of("name", TEXT, "a Secret of the namespace").asRequired());

  public static final Schema SCHEMA =
      CLUSTER.and(
          Schema.of(
              Field.of("dockerImage", TEXT, "the image, with the trial's code").asRequired(),
              Field.of("codeDirectory", TEXT, "where the image has the code"),
              Field.of("gpuNumber", new ValueType.Whole(0, 1_000), "GPUs of a pod; 0 hides them"),
              Field.of("cpuNumber", new ValueType.Above(0), "processors of a pod").or(1),
              Field.of("memorySize", new ValueType.Size(), "memory of a pod").or("1gb"),
              Field.of("adaptive", FLAG, "whether a trial may be given other nodes while it runs")
                  .or(false),
              Field.of(
                  "checkpoint",
                  new ValueType.Section(CHECKPOINT),
                  "a claim for each trial's checkpoints; adaptive trials have one anyway"),
              Field.of("tensorboard", FLAG, "whether the experiment gets a TensorBoard").or(true),
              Field.of("nfs", new ValueType.Section(NFS), "a directory that pods mount"),
              Field.of(
                  "imagePullSecrets",
                  new ValueType.ListOf(new ValueType.Section(PULL_SECRET)),
                  "what opens the image's registry")));

  @Override
  public String platform() {
    return "adl";
  }

  @Override
  public Schema schema() {
    return SCHEMA;
  }

  /** Nothing of this machine goes there; the file need not name a directory. */
  @Override
  protected void own(ObjectNode root, ObjectNode service, Walk walk) {
    if (!root.has("trialCodeDirectory") && !service.has("trialCodeDirectory")) {
      service.put("trialCodeDirectory", "/");
    }
  }

  @Override
  protected boolean movesTrials() {
    return true;
  }

  @Override
  public OlderSection older() {
    return new OlderAdaptDlSection();
  }
}
