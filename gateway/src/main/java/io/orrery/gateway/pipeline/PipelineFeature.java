package io.orrery.gateway.pipeline;

import io.orrery.gateway.feature.EdgeParts;
import io.orrery.gateway.http.Api;
import java.util.List;

/** The routes of pipelines, their schedules and their runs. */
public final class PipelineFeature {
  private PipelineFeature() {}

  /** Its groups of routes. */
  public static List<Api> apis(EdgeParts edge) {
    return List.of(
        new TemplateApi(edge.bus(), edge.bodies()),
        new PipelineApi(edge.bus(), edge.bodies()),
        new ScheduleApi(edge.bus(), edge.bodies(), edge.clock()),
        new DueRunApi(edge.bus(), edge.bodies()),
        new RunApi(edge.bus(), edge.bodies()),
        new RunFileApi(edge.bus(), edge.logs()),
        new TaskApi(edge.bus(), edge.bodies(), edge.logs(), edge.clock()),
        new RunEventApi(edge.bus(), edge.clock(), edge.patience()));
  }
}
