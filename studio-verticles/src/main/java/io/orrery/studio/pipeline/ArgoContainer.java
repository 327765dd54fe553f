package io.orrery.studio.pipeline;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import io.orrery.core.run.OutputRef;
import io.orrery.core.run.OutputSpec;
import io.orrery.core.run.RunSpec;
import io.orrery.core.run.ShellText;
import io.orrery.core.run.StepCommand;
import io.orrery.core.run.StepContainer;
import io.orrery.core.run.StepSpec;
import io.orrery.core.run.ValueText;
import io.orrery.core.trial.ParameterVariable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Writes the container of a step of an Argo Workflow. */
final class ArgoContainer {
  static final String INPUTS = "/orrery/inputs";
  static final String OUTPUTS = "/orrery/outputs";

  /** Runs the words behind it; lines of stdout that name values become files. */
  private static final String WRAPPER =
      """
      mkdir -p "$ORRERY_OUTPUTS"
      "$@" > /tmp/orrery-stdout
      code=$?
      while IFS= read -r line; do
        printf '%s\\n' "$line"
        case "$line" in "orrery: output "*)
          rest="${line#orrery: output }"
          printf '%s' "${rest#* }" > "$ORRERY_OUTPUTS/${rest%% *}";;
        esac
      done < /tmp/orrery-stdout
      exit $code
      """;

  private static final String PLAIN = "mkdir -p \"$ORRERY_OUTPUTS\" && exec \"$@\"";

  private final RunSpec run;
  private final StepSpec step;
  private final String image;

  /**
   * @param image when the step names none
   */
  ArgoContainer(RunSpec run, StepSpec step, String image) {
    this.run = run;
    this.step = step;
    StepContainer container = StepContainer.in(step);
    this.image = container == null ? image : container.image();
  }

  /** Whether the step is a program at all. */
  boolean isProgram() {
    return step.work() instanceof StepCommand;
  }

  /**
   * Writes it; it is a program.
   *
   * @param lookup how Argo looks up an output
   */
  ObjectNode write(Function<OutputRef, String> lookup) {
    StepCommand command = (StepCommand) step.work();
    ObjectNode container = Json.MAPPER.createObjectNode().put("image", image);
    Map<String, String> variables = new TreeMap<>();
    step.context().forEach((name, text) -> variables.put(name, ArgoWorkflow.literal(text)));
    run.parameters()
        .values()
        .forEach((name, value) ->
            variables.put(ParameterVariable.of(name), ArgoWorkflow.literal(text(value))));
    step.environment()
        .forEach((name, text) -> variables.put(name, ArgoWorkflow.text(text, lookup)));
    List<String> words = new ArrayList<>();
    if (command.shell()) {
      ShellText text = ShellText.of(withLiterals(command.words().getFirst()), lookup);
      variables.putAll(text.variables());
      words.addAll(List.of("/bin/sh", "-c", ArgoWorkflow.literal(text.command())));
    } else {
      command.words().forEach(word -> words.add(ArgoWorkflow.text(word, lookup)));
    }
    boolean values = step.outputs().stream().anyMatch(OutputSpec::value);
    container.putArray("command").add("/bin/sh").add("-c").add(values ? WRAPPER : PLAIN).add("sh");
    ArrayNode arguments = container.putArray("args");
    words.forEach(arguments::add);
    variables.put("ORRERY_INPUTS", INPUTS);
    variables.put("ORRERY_OUTPUTS", OUTPUTS);
    variables.put("ORRERY_STEP", step.name());
    variables.put("ORRERY_RUN", "{{workflow.name}}");
    StepSpec exit = run.onExit();
    if (exit != null && exit.name().equals(step.name())) {
      variables.put("ORRERY_RUN_STATUS", "{{workflow.status}}");
    }
    ArrayNode environment = container.putArray("env");
    variables.forEach(
        (name, value) -> environment.addObject().put("name", name).put("value", value));
    resources(container);
    return container;
  }

  /** The text with what was given written so that Argo reads no lookup in it. */
  private static ValueText withLiterals(ValueText text) {
    return new ValueText(
        text.pieces().stream()
            .map(piece ->
                piece instanceof ValueText.Given(String given)
                    ? new ValueText.Given(ArgoWorkflow.literal(given))
                    : piece)
            .toList());
  }

  private static String text(@Nullable Object value) {
    if (value == null) {
      return "null";
    }
    return value instanceof String text ? text : Json.write(value);
  }

  private void resources(ObjectNode container) {
    StepContainer own = StepContainer.in(step);
    ObjectNode limits = Json.MAPPER.createObjectNode();
    if (own != null && own.milliCores() > 0) {
      limits.put("cpu", own.milliCores() + "m");
    }
    if (own != null && own.bytes() > 0) {
      limits.put("memory", Long.toString(own.bytes()));
    }
    Integer gpus = step.gpus();
    if (gpus != null && gpus > 0) {
      limits.put("nvidia.com/gpu", gpus.toString());
    }
    if (!limits.isEmpty()) {
      container.putObject("resources").set("limits", limits);
    }
  }
}
