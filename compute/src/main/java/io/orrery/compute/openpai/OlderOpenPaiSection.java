package io.orrery.compute.openpai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.section.OlderSection;
import io.orrery.core.schema.Keys;
import io.orrery.core.schema.Walk;
import java.util.List;

/** The section of OpenPAI in NNI's first version, on Kubernetes and on YARN. */
final class OlderOpenPaiSection extends OlderSection {
  private static final String MEMORY = "trialMemorySize";

  /** Keys of {@code trial} that OpenPAI on YARN had, and that have no effect here. */
  private static final List<String> YARN_INERT =
      List.of("authFile", "shmMB", "portList", "dataDir", "outputDir", "gpuType");

  OlderOpenPaiSection() {
    super(
        List.of("paiConfig", "paiYarnConfig"),
        table(
            "host", "host",
            "userName", "username",
            "token", "token",
            "passWord", "password",
            "reuse", "reuseMode",
            "gpuNum", "trialGpuNumber",
            "cpuNum", "trialCpuNumber",
            "memoryMB", MEMORY,
            "maxTrialNumPerGpu", "maxTrialNumberPerGpu",
            "useActiveGpu", "useActiveGpu"),
        table(
            "cpuNum", "trialCpuNumber",
            "memoryMB", MEMORY,
            "image", "dockerImage",
            "virtualCluster", "virtualCluster",
            "paiStorageConfigName", "storageConfigName",
            "paiConfigPath", "openpaiConfigFile",
            "nniManagerNFSMountPath", "localStorageMountPoint",
            "containerNFSMountPath", "containerStorageMountPoint"));
  }

  @Override
  public boolean take(
      String section, String key, JsonNode value, String written, ObjectNode v3, Walk walk) {
    if (section.equals("trial") && Keys.find(key, YARN_INERT).isPresent()) {
      inert("trial." + key, walk);
      return true;
    }
    return super.take(section, key, value, written, v3, walk);
  }

  @Override
  public void convert(JsonNode v1, ObjectNode service) {
    super.convert(v1, service);
    if (service.has(MEMORY)) {
      service.set(MEMORY, megabytes(service.get(MEMORY)));
    }
  }
}
