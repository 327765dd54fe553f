package io.orrery.orchestrator.spec;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compute.catalog.ServiceSections;
import io.orrery.compute.section.ServiceSection;
import io.orrery.core.schema.Walk;
import io.orrery.core.workload.Workspaces;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;

/** Refuses code in a workspace where trials start elsewhere. */
final class WorkspaceCheck {
  private static final String KEY = "/trialCodeDirectory";

  private WorkspaceCheck() {}

  /** Refuses a workspace on platforms whose trials do not start in one. */
  static void check(JsonNode root, Walk walk) {
    JsonNode service = root.path("trainingService");
    JsonNode several = service.path("services");
    for (JsonNode each : several.isArray() ? several : List.of(service)) {
      String code =
          each.path("trialCodeDirectory").asText(root.path("trialCodeDirectory").asText());
      String platform = each.path("platform").asText();
      if (!code.isEmpty()
          && isShown(code)
          && !startsInWorkspaces(platform)
          && !walk.faultyAt(KEY)) {
        walk.refuse(
            KEY,
            "is %s, a workspace, in which trials of the platform local start; for %s name a directory of the server"
                .formatted(code, platform));
      }
    }
  }

  private static boolean isShown(String code) {
    try {
      return Workspaces.shows(Path.of(code));
    } catch (InvalidPathException e) {
      // No path at all: what reads it refuses it.
      return false;
    }
  }

  private static boolean startsInWorkspaces(String platform) {
    ServiceSection section = ServiceSections.of(platform);
    return section != null && section.startsInWorkspaces();
  }
}
