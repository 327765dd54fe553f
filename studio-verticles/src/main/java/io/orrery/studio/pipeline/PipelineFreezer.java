package io.orrery.studio.pipeline;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.PipelineRuns;
import io.orrery.core.bus.contract.Pipelines.Pipeline;
import io.orrery.core.bus.contract.Projects;
import io.orrery.core.bus.contract.Templates.Template;
import io.orrery.core.json.Json;
import io.orrery.core.project.ProjectSettings;
import io.orrery.core.run.PipelineName;
import io.orrery.core.run.RunId;
import io.orrery.core.run.RunSpec;
import io.orrery.core.sql.Store;
import io.orrery.studio.pipeline.PipelineDocumentReader.Reading;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** Freezes the present version of pipelines into runs that are due, with all that it refers to. */
public final class PipelineFreezer {
  private final Bus bus;
  private final PipelineTable table;
  private final TemplateTable templates;

  public PipelineFreezer(Bus bus, Store store) {
    this.bus = bus;
    this.table = new PipelineTable(store);
    this.templates = new TemplateTable(store);
  }

  /** A pipeline that was read with its surroundings. */
  public static final class Ready {
    private final Pipeline pipeline;
    private final Reading reading;
    private final StepEnvironments environments;

    private Ready(Pipeline pipeline, Reading reading, StepEnvironments environments) {
      this.pipeline = pipeline;
      this.reading = reading;
      this.environments = environments;
    }

    public Pipeline pipeline() {
      return pipeline;
    }

    /**
     * The run of an instant, which the owner of the pipeline starts.
     *
     * @throws io.orrery.core.problem.ProblemException Refused, with every finding
     */
    public RunSpec due(RunId run, Instant due) {
      return environments.in(
          RunFreezer.freeze(
              new RunFreezer.Start(
                  run,
                  pipeline,
                  pipeline.revision(),
                  Json.MAPPER.createObjectNode(),
                  pipeline.owner(),
                  true,
                  due,
                  due),
              reading.document()));
    }
  }

  /** Reads a pipeline for {@link Ready#due}; fails with NotFound, or Refused with all findings. */
  public Future<Ready> ready(PipelineName name) {
    return table
        .get(name)
        .compose(pipeline ->
            surroundings(pipeline.document(), pipeline.project(), pipeline.owner())
                .map(with -> PipelineDocumentReader.read(name, pipeline.document(), with))
                .compose(reading ->
                    StepEnvironments.of(bus, pipeline.project(), reading.document())
                        .map(environments -> new Ready(pipeline, reading, environments))));
  }

  /** The training services and templates that a document may name, and its project. */
  Future<PipelineSurroundings> surroundings(String document, ProjectName project, String user) {
    return bus.request(Projects.GET, new Projects.GetProject(project))
        .map(found -> ProjectSettings.read(found.settings()).settings())
        .compose(settings -> surroundings(document, project, settings, user));
  }

  private Future<PipelineSurroundings> surroundings(
      String document, ProjectName project, ProjectSettings settings, String user) {
    return bus.request(PipelineRuns.PLATFORMS, new PipelineRuns.AskPlatforms())
        .compose(platforms ->
            templates
                .among(PipelineDocumentReader.templates(document))
                .map(found -> {
                  Map<String, TemplateDocument> usable = new HashMap<>();
                  found.stream()
                      .filter(template -> mayUse(template, project, user))
                      .forEach(template ->
                          usable.put(template.name().value(), BuiltInTemplates.document(template)));
                  return new PipelineSurroundings(
                      platforms.names(),
                      platforms.clusters(),
                      platforms.mounts(),
                      settings,
                      usable);
                }));
  }

  private static boolean mayUse(Template template, ProjectName project, String user) {
    boolean near =
        template.project().equals(ProjectName.PUBLIC) || template.project().equals(project);
    return near && (template.released() || template.owner().equals(user));
  }
}
