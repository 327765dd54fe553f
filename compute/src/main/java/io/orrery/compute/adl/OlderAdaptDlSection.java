package io.orrery.compute.adl;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.kubernetes.OlderClusterSection;
import io.orrery.core.schema.Walk;
import java.util.List;
import java.util.Map;

/** The section of AdaptDL in NNI's first version, nearly all of whose keys stand in trial. */
final class OlderAdaptDlSection extends OlderClusterSection {
  OlderAdaptDlSection() {
    super(
        "adlConfig",
        Map.of(),
        table(
            "codeDir", "codeDirectory",
            "image", "dockerImage",
            "namespace", "namespace",
            "imagePullSecrets", "imagePullSecrets",
            "nfs", "nfs",
            "adaptive", "adaptive",
            "checkpoint", "checkpoint",
            "cpuNum", "cpuNumber",
            "memorySize", "memorySize"),
        List.of());
  }

  /** Moves the directory of the code, which is one of the image and none of this machine. */
  @Override
  public void adapt(ObjectNode v3, Walk walk) {
    JsonNode directory = v3.remove("trialCodeDirectory");
    if (directory != null) {
      walk.places()
          .put("/trainingService/codeDirectory", walk.places().written("/trialCodeDirectory"));
      service(v3).set("codeDirectory", directory);
    }
    JsonNode gpus = v3.get("trialGpuNumber");
    if (gpus != null) {
      service(v3).set("gpuNumber", gpus);
    }
  }
}
