package io.orrery.cli.archive;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;

/** Where a configuration says that the trials' code lies. */
final class CodeFolder {
  private CodeFolder() {}

  /**
   * Says that it lies elsewhere now.
   *
   * @param config of version 1, or of version 3 in its canonical form, which says it twice
   */
  static void move(ObjectNode config, Path folder) {
    if (config.has("trainingServicePlatform")) {
      config.withObjectProperty("trial").put("codeDir", folder.toString());
      return;
    }
    config.put("trialCodeDirectory", folder.toString());
    if (config.path("trainingService") instanceof ObjectNode service) {
      service.remove("trialCodeDirectory");
    }
  }
}
