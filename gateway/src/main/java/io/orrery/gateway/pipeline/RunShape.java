package io.orrery.gateway.pipeline;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.contract.PipelineRuns.AlertDelivery;
import io.orrery.core.bus.contract.PipelineRuns.Run;
import io.orrery.core.bus.contract.PipelineRuns.RunView;
import io.orrery.core.bus.contract.PipelineRuns.Step;
import io.orrery.core.json.Json;
import io.orrery.core.run.StepOutput;
import io.orrery.gateway.http.Wire;
import java.util.Locale;
import java.util.Objects;

/** The JSON of runs and steps. */
final class RunShape {
  private RunShape() {}

  static ObjectNode of(Run run) {
    ObjectNode shape =
        Json.MAPPER
            .createObjectNode()
            .put("id", run.id().value())
            .put("pipeline", run.pipeline())
            .put("version", run.version())
            .put("project", run.project().value())
            .put("owner", run.owner())
            .put("creator", run.creator())
            .put("status", run.status().name())
            .put("trigger", run.trigger());
    shape.set("parameters", Json.MAPPER.valueToTree(run.parameters()));
    return shape
        .put("due", Wire.time(run.due()))
        .put("createdAt", Wire.time(run.createdAt()))
        .put("startedAt", Wire.time(run.startedAt()))
        .put("endedAt", Wire.time(run.endedAt()))
        .put("error", run.error());
  }

  static ObjectNode of(RunView view) {
    ObjectNode shape = of(view.run());
    ArrayNode steps = shape.putArray("steps");
    view.steps().forEach(step -> steps.add(of(step)));
    ArrayNode alerts = shape.putArray("alerts");
    view.alerts().forEach(alert -> alerts.add(of(alert)));
    return shape;
  }

  static ObjectNode of(AlertDelivery alert) {
    return Json.MAPPER
        .createObjectNode()
        .put("id", alert.id())
        .put("status", alert.status())
        .put("mail", alert.mail())
        .put("state", alert.state().name())
        .put("attempts", alert.attempts())
        .put("outcome", alert.outcome())
        .put("createdAt", Wire.time(alert.createdAt()))
        .put("attemptedAt", Wire.time(alert.attemptedAt()))
        .put("nextAt", Wire.time(alert.nextAt()));
  }

  static ObjectNode of(Step step) {
    ObjectNode shape =
        Json.MAPPER.createObjectNode().put("name", step.name()).put("task", step.task());
    ObjectNode each = shape.putObject("each");
    step.each().forEach(each::put);
    shape
        .put("platform", step.platform())
        .put("status", step.status().name())
        .put("reason", step.reason())
        .put("attempt", step.attempt())
        .put("startedAt", Wire.time(step.startedAt()))
        .put("endedAt", Wire.time(step.endedAt()))
        .put("exitCode", step.exitCode())
        .put("cachedFrom", Objects.toString(step.cachedFrom(), null))
        .put("commit", step.commit());
    ObjectNode outputs = shape.putObject("outputs");
    step.outputs().forEach(output -> outputs.set(output.name(), of(output)));
    return shape;
  }

  static ObjectNode of(StepOutput output) {
    return Json.MAPPER
        .createObjectNode()
        .put("kind", output.kind().name().toLowerCase(Locale.ROOT))
        .put("value", output.value())
        .put("digest", output.digest())
        .put("bytes", output.bytes());
  }
}
