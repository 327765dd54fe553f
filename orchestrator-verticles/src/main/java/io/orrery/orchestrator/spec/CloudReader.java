package io.orrery.orchestrator.spec;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** What concerns several keys of the platforms {@code dlts}, {@code aml} and {@code dlc}. */
final class CloudReader {
  private final Walk walk;

  CloudReader(Walk walk) {
    this.walk = walk;
  }

  /**
   * @param root the canonical top level
   * @param service the section, with its defaults; gets what it inherits
   */
  void read(String platform, ObjectNode root, ObjectNode service) {
    for (String key : List.of("trialGpuNumber", "nniManagerIp")) {
      if (!service.has(key) && root.has(key)) {
        service.set(key, root.get(key));
      }
    }
    if (platform.equals("dlts")) {
      Hosts.complete(service, "dashboard", walk);
    }
  }
}
