package io.orrery.gateway.pipeline;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.contract.PipelineRuns.Lineage;
import io.orrery.core.bus.contract.PipelineRuns.RunView;
import io.orrery.core.bus.contract.PipelineRuns.Step;
import io.orrery.core.bus.contract.PipelineRuns.Use;
import io.orrery.core.json.Json;
import java.util.Objects;

/**
 * The lineage of a run: what each step made, and which steps use which outputs of tasks. Uses stand
 * beside the artifacts and not in them: those of a task with {@code each} are uses of all its
 * steps.
 */
final class RunLineage {
  private RunLineage() {}

  /** A line for each artifact that is made, and one for each use. */
  static ObjectNode of(RunView view, Lineage lineage) {
    ObjectNode shape = Json.MAPPER.createObjectNode().put("run", view.run().id().value());
    ArrayNode artifacts = shape.putArray("artifacts");
    for (Step step : view.steps()) {
      step.outputs()
          .forEach(output -> {
            ObjectNode artifact =
                artifacts
                    .addObject()
                    .put("step", step.name())
                    .put("task", step.task())
                    .put("name", output.name())
                    .put("cachedFrom", Objects.toString(step.cachedFrom(), null));
            artifact.setAll(RunShape.of(output));
          });
    }
    ArrayNode uses = shape.putArray("uses");
    for (Use use : lineage.uses()) {
      uses.addObject()
          .put("step", use.step())
          .put("input", use.input())
          .put("task", use.output().task())
          .put("name", use.output().name());
    }
    return shape;
  }
}
