package io.orrery.studio.project;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Workloads;
import io.orrery.core.bus.contract.Workloads.Want;
import io.orrery.core.image.EnvironmentName;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.project.ProjectSettings;
import io.vertx.core.Future;
import java.util.List;

/**
 * Makes findings of what is missing for a workload, and says which of it is a mount of the project:
 * who writes the document cannot change that there.
 */
public final class ProjectMountFindings {
  private static final String SETTING = "/volume_mount";

  private ProjectMountFindings() {}

  /**
   * Makes the findings.
   *
   * @param project the settings of the project of the workload
   * @param missing sentences about what its cluster cannot do
   */
  public static Future<List<Finding>> of(
      Bus bus, Want want, ProjectSettings project, List<String> missing) {
    if (missing.isEmpty()
        || project.mounts().mounts().isEmpty()
        || !EnvironmentName.isContainer(want.spec().image())) {
      return Future.succeededFuture(plain(missing));
    }
    String settings =
        Json.write(
            Json.MAPPER
                .createObjectNode()
                .put("cluster", want.runtime())
                .put(SETTING.substring(1), project.mounts().text()));
    return bus.request(Workloads.PREFLIGHT, new Workloads.Preflight(settings))
        .map(found ->
            missing.stream().map(sentence -> finding(sentence, want, found.faults())).toList())
        // What is missing is known all the same.
        .otherwise(failure -> plain(missing));
  }

  private static List<Finding> plain(List<String> missing) {
    return missing.stream().map(sentence -> new Finding("", sentence)).toList();
  }

  private static Finding finding(String sentence, Want want, List<Finding> faults) {
    boolean ofProject =
        faults.stream()
            .anyMatch(fault ->
                fault.pointer().equals(SETTING) && fault.message().endsWith(": " + sentence));
    return new Finding(
        "",
        ofProject
            ? "%s. It comes from volume_mount in the settings of the project %s, not from this document: change it there"
                .formatted(sentence, want.project())
            : sentence);
  }
}
