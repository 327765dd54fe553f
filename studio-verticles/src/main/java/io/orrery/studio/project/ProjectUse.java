package io.orrery.studio.project;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.PipelineRuns;
import io.orrery.core.bus.contract.Pipelines;
import io.orrery.core.bus.contract.Templates;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/** Looks for pipelines, templates and runs that keep a project from being deleted. */
final class ProjectUse {
  private ProjectUse() {}

  /**
   * The end of a sentence about what the project has; empty when it has nothing. Runs stay for ever
   * and belong to their project, so that no other user sees them under the same name later.
   */
  static Future<Optional<String>> ofPipelines(Bus bus, ProjectName project) {
    List<ProjectName> among = List.of(project);
    return bus.request(Pipelines.LIST, new Pipelines.ListPipelines(among, null, null, null, 1))
        .compose(pipelines -> {
          if (!pipelines.items().isEmpty()) {
            String one = pipelines.items().getFirst().name().value();
            return found("has pipelines, %s among them: delete them first".formatted(one));
          }
          return bus.request(
                  Templates.LIST, new Templates.ListTemplates(among, null, null, null, null, 100))
              .compose(templates -> {
                Optional<String> own =
                    templates.items().stream()
                        .filter(template -> !template.builtIn())
                        .map(template -> template.name().value())
                        .findFirst();
                return own.isPresent()
                    ? found("has templates, %s among them: delete them first".formatted(own.get()))
                    : runs(bus, among);
              });
        });
  }

  private static Future<Optional<String>> runs(Bus bus, List<ProjectName> among) {
    return bus.request(
            PipelineRuns.LIST,
            new PipelineRuns.ListRuns(among, null, null, null, null, null, null, 1))
        .map(runs ->
            runs.items().isEmpty()
                ? Optional.empty()
                : Optional.of(
                    "has runs, %s among them, and stays as long as they do"
                        .formatted(runs.items().getFirst().id())));
  }

  private static Future<Optional<String>> found(String use) {
    return Future.succeededFuture(Optional.of(use));
  }
}
