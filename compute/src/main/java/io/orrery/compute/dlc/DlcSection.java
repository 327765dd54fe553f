package io.orrery.compute.dlc;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.section.CommonKeys;
import io.orrery.compute.section.ServiceSection;
import io.orrery.core.schema.Field;
import io.orrery.core.schema.Hosts;
import io.orrery.core.schema.Schema;
import io.orrery.core.schema.ValueType;
import io.orrery.core.schema.Walk;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The section of trials that are jobs of Alibaba's PAI-DLC. */
public final class DlcSection implements ServiceSection {
  private static final String AT = "/trainingService";
  private static final ValueType TEXT = new ValueType.Text();
  private static final ValueType FLAG = new ValueType.Flag();
  private static final ValueType COUNT = new ValueType.Whole(1, 10_000);

  public static final Schema SCHEMA =
      CommonKeys.SCHEMA.and(
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

  @Override
  public String platform() {
    return "dlc";
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
    check(service, walk);
  }

  private static void check(ObjectNode service, Walk walk) {
    Hosts.complete(service, "endpoint", walk);
    // It becomes part of an address.
    String region = service.path("region").asText("a");
    if (!region.matches("[a-z0-9-]{1,40}")) {
      walk.refuse(AT + "/region", "must be a region such as cn-hangzhou, this is '" + region + "'");
    }
    boolean local = service.has("localStorageMountPoint");
    String mount = service.path("localStorageMountPoint").asText("/");
    if (!Files.isDirectory(Path.of(mount))) {
      walk.notice(
          "localStorageMountPoint: %s is no directory of this machine, so outputs on NAS cannot be looked at from here."
              .formatted(mount));
    }
    for (String key : List.of("nasDataSourceId", "containerStorageMountPoint")) {
      if (local && !service.has(key) && !walk.faultyWithin(AT + "/" + key)) {
        walk.refuse(
            AT + "/" + key, "is missing: localStorageMountPoint is where this machine has it");
      }
    }
  }
}
