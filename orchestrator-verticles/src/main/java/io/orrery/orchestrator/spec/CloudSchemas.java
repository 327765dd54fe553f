package io.orrery.orchestrator.spec;

import io.orrery.core.schema.Field;
import io.orrery.core.schema.Schema;
import io.orrery.core.schema.ValueType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Clouds whose jobs trials are: Azure Machine Learning, Alibaba's PAI-DLC, and DLTS. */
final class CloudSchemas {
  private static final ValueType TEXT = new ValueType.Text();
  private static final ValueType FLAG = new ValueType.Flag();
  private static final ValueType COUNT = new ValueType.Whole(1, 10_000);
  private static final String NNI_IMAGE = "msranni/nni:latest";

  static final Schema AML =
      PlatformSchemas.COMMON.and(
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

  static final Schema DLC =
      PlatformSchemas.COMMON.and(
          Schema.of(
              Field.of("type", TEXT, "the kind of the job's role").or("Worker"),
              Field.of("image", TEXT, "the image of the container").asRequired(),
              Field.of(
                      "jobType",
                      new ValueType.Word(List.of("TFJob", "PyTorchJob")),
                      "TFJob or PyTorchJob")
                  .or("TFJob"),
              Field.of("podCount", COUNT, "how many pods; the first one reports").or(1),
              Field.of("ecsSpec", TEXT, "the kind of machine").asRequired(),
              Field.of("region", TEXT, "the region, such as cn-hangzhou").asRequired(),
              Field.of(
                  "endpoint",
                  TEXT,
                  "the service's address; https://pai-dlc.<region>.aliyuncs.com when it is not set"),
              Field.of("workspaceId", TEXT, "the workspace").asRequired(),
              Field.of("accessKeyId", TEXT, "the access key's id").asRequired(),
              Field.of(
                      "accessKeySecret",
                      new ValueType.Secret(),
                      "its secret: env:NAME, file:/path, prompt:NAME to be asked, or the secret")
                  .asRequired(),
              Field.of("nasDataSourceId", TEXT, "a data source on NAS that containers mount"),
              Field.of("ossDataSourceId", TEXT, "a data source on OSS that containers mount"),
              Field.of(
                  "localStorageMountPoint",
                  new ValueType.Directory(false),
                  "where NAS is mounted on this machine: outputs go there too, besides the server"),
              Field.of("containerStorageMountPoint", TEXT, "where NAS is mounted in the container"),
              Field.of("reuseMode", FLAG, "whether trials share one environment")
                  .without("every trial is a job of its own.")));

  static final Schema DLTS =
      PlatformSchemas.COMMON.and(
          Schema.of(
              Field.of("dashboard", TEXT, "the address of the dashboard").asRequired(),
              Field.of("dockerImage", TEXT, "the image of the container").asRequired(),
              Field.of("cluster", TEXT, "the cluster").or(".default"),
              Field.of("team", TEXT, "the team; DLWS_VC_NAME when it is not set"),
              Field.of("email", TEXT, "the account; DLWS_USER_EMAIL when it is not set"),
              Field.of(
                  "password",
                  new ValueType.Secret(),
                  "its password; DLTS_JOB_TOKEN when it is not set")));

  private CloudSchemas() {}

  /** The keys of such a platform; null when it is none of them. */
  static @Nullable Schema of(@Nullable String platform) {
    return switch (platform) {
      case "aml" -> AML;
      case "dlc" -> DLC;
      case "dlts" -> DLTS;
      case null, default -> null;
    };
  }
}
