package io.orrery.studio.pipeline;

import io.orrery.core.project.HostMounts;
import io.orrery.core.project.ProjectSettings;
import io.orrery.core.run.StepCluster;
import java.util.List;
import java.util.Map;

/**
 * The objects that a document may refer to.
 *
 * @param platforms the training services that steps can run on
 * @param clusters on which steps with an image can run
 * @param mounts what containers of steps may mount
 * @param project the settings of the project of the pipeline
 * @param templates by name: those that the document names and its reader may use
 */
record PipelineSurroundings(
    List<String> platforms,
    List<StepCluster> clusters,
    HostMounts mounts,
    ProjectSettings project,
    Map<String, TemplateDocument> templates) {
  PipelineSurroundings {
    platforms = List.copyOf(platforms);
    clusters = List.copyOf(clusters);
    templates = Map.copyOf(templates);
  }
}
