package io.orrery.studio.pipeline;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.image.EnvironmentChoice;
import io.orrery.core.image.EnvironmentName;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.run.Condition;
import io.orrery.core.run.OutputRef;
import io.orrery.core.run.OutputSpec;
import io.orrery.core.run.RunSpec;
import io.orrery.core.run.StepContainer;
import io.orrery.core.run.StepSpec;
import io.orrery.core.run.StepWork;
import io.orrery.core.run.ValueText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Writes a run as an Argo Workflow: a task of the graph and a template for each step. Values reach
 * programs as variables, so that neither Argo nor a shell reads them.
 *
 * @see <a href="https://argo-workflows.readthedocs.io/en/latest/fields/">Fields of a Workflow</a>
 */
final class ArgoWorkflow {
  private static final String KIND = "Workflow";

  /** The longest name of a Kubernetes object that Argo makes others of. */
  private static final int LONGEST_NAME = 50;

  private final RunSpec run;
  private final String image;
  private final Map<String, List<StepSpec>> byTask = new LinkedHashMap<>();
  private final List<Finding> findings = new ArrayList<>();
  private final Set<String> notices = new LinkedHashSet<>();

  private ArgoWorkflow(RunSpec run, String image) {
    this.run = run;
    this.image = image;
    run.steps()
        .forEach(step -> byTask.computeIfAbsent(step.task(), added -> new ArrayList<>()).add(step));
  }

  /** A workflow, and sentences on what it lacks. */
  record Written(ObjectNode workflow, List<String> notices) {}

  /**
   * Writes a run.
   *
   * @param image of steps that name none
   * @throws io.orrery.core.problem.ProblemException Refused, with each step that cannot be written
   */
  static Written of(RunSpec run, String image) {
    ArgoWorkflow writer = new ArgoWorkflow(run, image);
    ObjectNode workflow = writer.workflow();
    if (!writer.findings.isEmpty()) {
      throw Problem.Refused.of(writer.findings).toException();
    }
    return new Written(workflow, List.copyOf(writer.notices));
  }

  private ObjectNode workflow() {
    ObjectNode workflow = Json.MAPPER.createObjectNode();
    workflow.put("apiVersion", "argoproj.io/v1alpha1").put("kind", KIND);
    String name = run.pipeline();
    ObjectNode metadata = workflow.putObject("metadata");
    metadata.put("generateName", name.substring(0, Math.min(name.length(), LONGEST_NAME)) + "-");
    metadata
        .putObject("labels")
        .put("pipeline-name", name)
        .put("pipeline-version", Integer.toString(run.version()));
    ObjectNode spec = workflow.putObject("spec");
    spec.put("entrypoint", "pipeline").put("parallelism", run.parallelism());
    ArrayNode templates = spec.putArray("templates");
    ArrayNode tasks =
        templates.addObject().put("name", "pipeline").putObject("dag").putArray("tasks");
    for (StepSpec step : run.steps()) {
      task(step, tasks.addObject());
      templates.add(template(step));
    }
    StepSpec exit = run.onExit();
    if (exit != null) {
      spec.put("onExit", exit.name());
      templates.add(template(exit));
    }
    return workflow;
  }

  // ---- the graph -----------------------------------------------------------------------------

  private void task(StepSpec step, ObjectNode task) {
    task.put("name", step.name()).put("template", step.name());
    Set<String> before = new LinkedHashSet<>(step.after());
    step.uses().forEach(ref -> before.add(ref.task()));
    if (!before.isEmpty()) {
      ArrayNode dependencies = task.putArray("dependencies");
      before.forEach(name ->
          byTask.getOrDefault(name, List.of()).forEach(each -> dependencies.add(each.name())));
    }
    Condition when = step.when();
    if (when != null) {
      task.put("when", condition(when));
    }
    ObjectNode arguments = Json.MAPPER.createObjectNode();
    ArrayNode parameters = Json.MAPPER.createArrayNode();
    for (OutputRef ref : values(step)) {
      parameters.addObject().put("name", parameter(ref)).put("value", value(ref));
    }
    ArrayNode artifacts = Json.MAPPER.createArrayNode();
    step.inputs()
        .forEach((name, ref) -> {
          List<StepSpec> makers = byTask.getOrDefault(ref.task(), List.of());
          for (int i = 0; i < makers.size(); i++) {
            artifacts
                .addObject()
                .put("name", artifact(name, makers, i))
                .put(
                    "from",
                    "{{tasks.%s.outputs.artifacts.%s}}"
                        .formatted(makers.get(i).name(), ref.name()));
          }
        });
    put(arguments, "parameters", parameters);
    put(arguments, "artifacts", artifacts);
    if (!arguments.isEmpty()) {
      task.set("arguments", arguments);
    }
  }

  private static void put(ObjectNode object, String name, ArrayNode array) {
    if (!array.isEmpty()) {
      object.set(name, array);
    }
  }

  private boolean isList(List<StepSpec> makers) {
    return makers.stream().anyMatch(maker -> !maker.each().isEmpty());
  }

  private String artifact(String input, List<StepSpec> makers, int number) {
    return isList(makers) ? input + "-" + (number + 1) : input;
  }

  /** The outputs that reach the program as texts; those of its condition stay in the graph. */
  private static Set<OutputRef> values(StepSpec step) {
    Set<OutputRef> values = new LinkedHashSet<>(step.work().uses());
    step.environment().values().forEach(text -> values.addAll(text.outputs()));
    return values;
  }

  private static String parameter(OutputRef ref) {
    return ref.task() + "-" + ref.name();
  }

  /** An output as Argo looks it up: of a task with a step for each value a JSON list. */
  private String value(OutputRef ref) {
    List<StepSpec> makers = byTask.getOrDefault(ref.task(), List.of());
    List<String> lookups =
        makers.stream()
            .map(maker -> "{{tasks.%s.outputs.parameters.%s}}".formatted(maker.name(), ref.name()))
            .toList();
    return isList(makers)
        ? lookups.stream().collect(Collectors.joining("\",\"", "[\"", "\"]"))
        : String.join("", lookups);
  }

  private String condition(Condition when) {
    String left = text(when.left(), this::value);
    ValueText right = when.right();
    return switch (when.operator()) {
      case IS_TRUE -> left + " == true";
      case EQUAL, UNEQUAL ->
          "'%s' %s '%s'"
              .formatted(
                  left.replace("'", "\\'"),
                  when.operator().sign(),
                  right == null ? "" : text(right, this::value).replace("'", "\\'"));
      case LESS, AT_MOST, MORE, AT_LEAST ->
          "%s %s %s"
              .formatted(
                  left, when.operator().sign(), right == null ? "" : text(right, this::value));
    };
  }

  // ---- templates -----------------------------------------------------------------------------

  private ObjectNode template(StepSpec step) {
    ObjectNode template = Json.MAPPER.createObjectNode().put("name", step.name());
    if (step.work() instanceof StepWork.Approval) {
      template.putObject("suspend");
      notices.add(
          "%s is a suspended step: argo resume lets it go on, and its outputs are not there"
              .formatted(step.name()));
      return template;
    }
    ArgoContainer container = new ArgoContainer(run, step, image);
    if (!container.isProgram()) {
      findings.add(
          new Finding(
              "/tasks/" + step.task(),
              "%s is done by this server, which a workflow cannot ask for".formatted(step.task())));
      return template;
    }
    StepContainer several = StepContainer.in(step);
    if (several != null && several.team() != null) {
      findings.add(
          new Finding(
              "/tasks/" + step.task(),
              "%s is several pods, and a step of a workflow is one".formatted(step.task())));
      return template;
    }
    if (step.code() != null || step.git() != null) {
      notices.add(
          "the code of %s is not in the workflow: build it into its image".formatted(step.task()));
    }
    String environment = EnvironmentChoice.text(step.settings().values());
    if (environment != null && !EnvironmentName.isContainer(environment)) {
      notices.add(
          "the packages of %s are not in the workflow: install them into the image of %s"
              .formatted(environment, step.task()));
    }
    inputs(step, template);
    template.set(
        "container", container.write(ref -> "{{inputs.parameters.%s}}".formatted(parameter(ref))));
    outputs(step, template);
    if (step.retry().attempts() > 1) {
      template
          .putObject("retryStrategy")
          .put("limit", Integer.toString(step.retry().attempts() - 1))
          .putObject("backoff")
          .put("duration", Math.max(1, step.retry().backoff().toSeconds()) + "s");
    }
    if (step.timeout() != null) {
      template.put("activeDeadlineSeconds", Math.max(1, step.timeout().toSeconds()));
    }
    return template;
  }

  private void inputs(StepSpec step, ObjectNode template) {
    ObjectNode inputs = Json.MAPPER.createObjectNode();
    ArrayNode parameters = Json.MAPPER.createArrayNode();
    values(step).forEach(ref -> parameters.addObject().put("name", parameter(ref)));
    ArrayNode artifacts = Json.MAPPER.createArrayNode();
    step.inputs()
        .forEach((name, ref) -> {
          List<StepSpec> makers = byTask.getOrDefault(ref.task(), List.of());
          for (int i = 0; i < makers.size(); i++) {
            String place = isList(makers) ? name + "/" + (i + 1) : name;
            artifacts
                .addObject()
                .put("name", artifact(name, makers, i))
                .put("path", ArgoContainer.INPUTS + "/" + place);
          }
        });
    put(inputs, "parameters", parameters);
    put(inputs, "artifacts", artifacts);
    if (!inputs.isEmpty()) {
      template.set("inputs", inputs);
    }
  }

  private static void outputs(StepSpec step, ObjectNode template) {
    ObjectNode outputs = Json.MAPPER.createObjectNode();
    ArrayNode parameters = Json.MAPPER.createArrayNode();
    ArrayNode artifacts = Json.MAPPER.createArrayNode();
    for (OutputSpec output : step.outputs()) {
      String path = ArgoContainer.OUTPUTS + "/" + output.source();
      if (output.value()) {
        parameters.addObject().put("name", output.name()).putObject("valueFrom").put("path", path);
      } else {
        artifacts.addObject().put("name", output.name()).put("path", path);
      }
    }
    put(outputs, "parameters", parameters);
    put(outputs, "artifacts", artifacts);
    if (!outputs.isEmpty()) {
      template.set("outputs", outputs);
    }
  }

  /** A text in which what is no lookup of Argo is none. */
  static String text(ValueText text, Function<OutputRef, String> lookup) {
    StringBuilder whole = new StringBuilder();
    for (ValueText.Piece piece : text.pieces()) {
      switch (piece) {
        case ValueText.Written(String written) -> whole.append(literal(written));
        case ValueText.Given(String given) -> whole.append(literal(given));
        case ValueText.Output(OutputRef ref) -> whole.append(lookup.apply(ref));
      }
    }
    return whole.toString();
  }

  /** Two braces begin a lookup of Argo: an expression writes them. */
  static String literal(String text) {
    return text.replace("{{", "{{='{'+'{'}}");
  }
}
