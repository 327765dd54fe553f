package io.orrery.orchestrator.spec;

import io.orrery.core.schema.Hosts;
import io.orrery.core.schema.Walk;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The checks of several keys together for the platforms {@code dlts}, {@code aml} and {@code dlc}.
 */
final class CloudReader {
  private static final String AT = "/trainingService";

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
    switch (platform) {
      case "dlts" -> Hosts.complete(service, "dashboard", walk);
      case "dlc" -> dlc(service);
      default -> {}
    }
  }

  private void dlc(ObjectNode service) {
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
