package io.orrery.gateway.pipeline;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.contract.PipelineRuns.Lineage;
import io.orrery.core.bus.contract.PipelineRuns.RunView;
import io.orrery.core.bus.contract.PipelineRuns.Step;
import io.orrery.core.bus.contract.PipelineRuns.Use;
import io.orrery.core.json.Json;
import java.util.List;
import java.util.Objects;

/**
 * The lineage of a run: what each step made, and which steps used it. A task with {@code each} has
 * an artifact for each of its steps.
 */
final class RunLineage {
  private RunLineage() {}

  /** A line for each artifact; one that is not made yet has no line. */
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
                    .put("name", output.name())
                    .put("cachedFrom", Objects.toString(step.cachedFrom(), null));
            artifact.setAll(RunShape.of(output));
            ArrayNode usedBy = artifact.putArray("usedBy");
            uses(lineage, step.task(), output.name())
                .forEach(
                    use -> usedBy.addObject().put("step", use.step()).put("input", use.input()));
          });
    }
    return shape;
  }

  private static List<Use> uses(Lineage lineage, String task, String output) {
    return lineage.uses().stream()
        .filter(use -> use.output().task().equals(task) && use.output().name().equals(output))
        .toList();
  }
}
