package io.orrery.gateway.remote;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The traces that environments leave on the machines that run them. */
final class Environments {
  private Environments() {}

  /** Whether only what serves all trials is there. */
  static boolean isClear(Path home) throws IOException {
    try (var files = Files.list(home)) {
      return files.allMatch(file -> file.endsWith("keeper"));
    }
  }

  static String withoutTenants(String entry) {
    ObjectNode json = Json.read(entry, ObjectNode.class);
    json.putArray("tenants");
    return json.toString();
  }

  /** Whether anything of an environment runs. */
  static boolean isRunning(String run) {
    return ProcessHandle.allProcesses()
        .anyMatch(process -> {
          try {
            return Files.readString(Path.of("/proc/" + process.pid() + "/environ"))
                .contains("ORRERY_RUN=" + run + "\0");
          } catch (IOException gone) {
            return false;
          }
        });
  }
}
