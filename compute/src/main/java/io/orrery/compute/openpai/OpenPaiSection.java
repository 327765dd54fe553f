package io.orrery.compute.openpai;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.section.CommonKeys;
import io.orrery.compute.section.OlderSection;
import io.orrery.compute.section.ServiceSection;
import io.orrery.core.schema.Field;
import io.orrery.core.schema.Schema;
import io.orrery.core.schema.ValueType;
import io.orrery.core.schema.Walk;
import java.util.List;

/** The section of trials that are jobs of an OpenPAI cluster. */
public final class OpenPaiSection implements ServiceSection {
  private static final ValueType TEXT = new ValueType.Text();
  private static final ValueType FLAG = new ValueType.Flag();

  public static final Schema SCHEMA =
      CommonKeys.SCHEMA.and(
          Schema.of(
              Field.of("host", TEXT, "the cluster's address; https unless it says http://")
                  .asRequired(),
              Field.of("username", TEXT, "the user who submits the jobs").asRequired(),
              Field.of(
                  "token",
                  new ValueType.Secret(),
                  "the user's token, from the profile page: env:NAME, file:/path, prompt:NAME to be asked, or the token"),
              Field.of(
                  "password",
                  new ValueType.Secret(),
                  "instead of a token: env:NAME, file:/path, prompt:NAME to be asked, or the password"),
              Field.of("trialCpuNumber", new ValueType.Whole(1, 10_000), "processors of a trial"),
              Field.of("trialMemorySize", new ValueType.Size(), "memory of a trial"),
              Field.of("dockerImage", TEXT, "the image; msranni/nni:latest when it is not set"),
              Field.of("virtualCluster", TEXT, "the virtual cluster; default when it is not set"),
              Field.of(
                  "storageConfigName",
                  TEXT,
                  "a storage of the cluster to which outputs are copied as well"),
              Field.of(
                  "localStorageMountPoint",
                  new ValueType.Directory(true),
                  "where that storage is mounted on this machine"),
              Field.of(
                  "containerStorageMountPoint",
                  TEXT,
                  "where that storage is mounted in the container; /mnt/<storageConfigName> when it is not set"),
              Field.of(
                  "openpaiConfig",
                  new ValueType.AnyObject(),
                  "a job in OpenPAI's protocol, version 2, from which the job of each trial is made"),
              Field.of("openpaiConfigFile", TEXT, "a YAML file with the same, read once"),
              Field.of(
                  "reportingTaskRole",
                  TEXT,
                  "the role of openpaiConfig that reports; its first when it is not set"),
              Field.of("reuseMode", FLAG, "whether trials share one environment")
                  .without("every trial is a job of its own."),
              Field.of(
                      "maxTrialNumberPerGpu",
                      new ValueType.Whole(1, 10_000),
                      "how many trials may share a GPU")
                  .without("every trial is a job of its own."),
              Field.of("useActiveGpu", FLAG, "whether busy GPUs may be used")
                  .without("OpenPAI gives GPUs to jobs.")));

  @Override
  public String platform() {
    return "openpai";
  }

  @Override
  public Schema schema() {
    return SCHEMA;
  }

  @Override
  public List<String> aliases() {
    return List.of("pai", "paiyarn");
  }

  @Override
  public void read(ObjectNode root, ObjectNode service, Walk walk) {
    new OpenPaiReader(walk).read(root, service);
  }

  @Override
  public OlderSection older() {
    return new OlderOpenPaiSection();
  }
}
