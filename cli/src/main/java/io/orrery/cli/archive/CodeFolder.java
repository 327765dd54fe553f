package io.orrery.cli.archive;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.List;

/** The folder in which a configuration says that the trials' code lies. */
final class CodeFolder {
  private CodeFolder() {}

  /**
   * Says that it lies elsewhere now.
   *
   * @param config of version 1, or of version 3 in its canonical form, which says it once more for
   *     each platform
   */
  static void move(ObjectNode config, Path folder) {
    if (config.has("trainingServicePlatform")) {
      config.withObjectProperty("trial").put("codeDir", folder.toString());
      return;
    }
    config.put("trialCodeDirectory", folder.toString());
    JsonNode services = config.path("trainingService");
    for (JsonNode service : services.isArray() ? services : List.of(services)) {
      if (service instanceof ObjectNode one) {
        one.remove("trialCodeDirectory");
      }
    }
  }
}
