package io.orrery.compute.aml;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.section.CommonKeys;
import io.orrery.compute.section.OlderSection;
import io.orrery.compute.section.ServiceSection;
import io.orrery.core.schema.Field;
import io.orrery.core.schema.Schema;
import io.orrery.core.schema.ValueType;
import io.orrery.core.schema.Walk;
import java.util.List;

/** The section of trials that are jobs of Azure Machine Learning. */
public final class AmlSection implements ServiceSection {
  private static final ValueType TEXT = new ValueType.Text();
  private static final ValueType FLAG = new ValueType.Flag();
  private static final ValueType COUNT = new ValueType.Whole(1, 10_000);
  private static final String NNI_IMAGE = "msranni/nni:latest";

  public static final Schema SCHEMA =
      CommonKeys.SCHEMA.and(
          Schema.of(
              Field.of("subscriptionId", TEXT, "the Azure subscription").asRequired(),
              Field.of("resourceGroup", TEXT, "the resource group").asRequired(),
              Field.of("workspaceName", TEXT, "the Azure Machine Learning workspace").asRequired(),
              Field.of("computeTarget", TEXT, "the compute cluster").asRequired(),
              Field.of("dockerImage", TEXT, "the image of the container").or(NNI_IMAGE),
              Field.of("maxTrialNumberPerGpu", COUNT, "how many trials may share a GPU")
                  .without("every trial is a job of its own."),
              Field.of("useActiveGpu", FLAG, "whether GPUs that others use are taken")
                  .without("Azure gives GPUs to jobs."),
              Field.of("reuseMode", FLAG, "whether trials share one environment")
                  .without("every trial is a job of its own.")));

  @Override
  public String platform() {
    return "aml";
  }

  @Override
  public Schema schema() {
    return SCHEMA;
  }

  @Override
  public boolean checkedEverywhere() {
    return true;
  }

  @Override
  public void read(ObjectNode root, ObjectNode service, Walk walk) {
    CommonKeys.inherit(root, service, "trialGpuNumber", "nniManagerIp");
  }

  @Override
  public OlderSection older() {
    return new OlderSection(
        List.of("amlConfig"),
        OlderSection.table(
            "subscriptionId", "subscriptionId",
            "resourceGroup", "resourceGroup",
            "workspaceName", "workspaceName",
            "computeTarget", "computeTarget",
            "maxTrialNumPerGpu", "maxTrialNumberPerGpu",
            "useActiveGpu", "useActiveGpu"),
        OlderSection.table("image", "dockerImage"));
  }
}
