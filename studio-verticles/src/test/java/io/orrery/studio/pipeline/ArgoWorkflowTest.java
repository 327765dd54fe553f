package io.orrery.studio.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.Pipelines.Pipeline;
import io.orrery.core.json.Document;
import io.orrery.core.json.Json;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.project.HostMounts;
import io.orrery.core.project.ProjectSettings;
import io.orrery.core.run.PipelineName;
import io.orrery.core.run.RunId;
import io.orrery.core.run.RunSpec;
import io.orrery.core.run.StepCluster;
import io.orrery.core.run.StepContainer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Writes pipelines as Argo Workflows, and checks them by the definition of the kind. */
class ArgoWorkflowTest {
  /** The definition of others; not part of this repository. */
  private static final Path DEFINITION =
      Path.of(System.getProperty("orrery.definitions", "../../shared/crds"))
          .resolve("argoproj.io_workflows-full.json");

  private static final PipelineName NAME = new PipelineName("digits");
  private static final Instant NOW = Instant.parse("2026-01-31T12:00:00Z");
  private static final String DIGITS =
      """
      name: digits
      parameters: {text: {type: str}}
      env: {GREETING: hello}
      parallelism: 4
      tasks:
        - name: prepare
          command: 'echo {{parameters.text}}; echo "orrery: output rows 12"'
          outputs: {data: {path: data/}, rows: {value: rows}}
        - name: train
          image: registry.example.com/app:1
          command: [python3, train.py, "{{each.seed}}", "{{parameters.text}}"]
          inputs: {in: "{{tasks.prepare.outputs.data}}"}
          each: {seed: [1, 2]}
          when: "{{tasks.prepare.outputs.rows}} > 10"
          retry: {attempts: 3, backoff: 10s}
          timeout: 1h
          resources: {cpu: 2, memory: 1G}
          outputs: {score: {value: score}, model: {path: model}}
        - {name: ask, approval: "Go on?", after: [train]}
        - name: pick
          command: echo {{tasks.train.outputs.score}}
          inputs: {models: "{{tasks.train.outputs.model}}"}
          after: [ask]
      onExit: {name: tell, command: echo $ORRERY_RUN_STATUS}
      """;

  private static RunSpec frozen(String yaml, String text) {
    String json = Json.write(Document.read(yaml).root());
    PipelineSurroundings with =
        new PipelineSurroundings(
            List.of("local"),
            List.of(new StepCluster("box", StepContainer.PLATFORM)),
            HostMounts.ANY,
            ProjectSettings.NONE,
            Map.of());
    return RunFreezer.freeze(
        new RunFreezer.Start(
            new RunId("r1"),
            new Pipeline(NAME, ProjectName.PUBLIC, "ann", json, NOW, NOW, 4),
            4,
            (ObjectNode) Json.parse(Json.write(Map.of("text", text))),
            "bob",
            true,
            null,
            NOW),
        PipelineDocumentReader.read(NAME, json, with).document());
  }

  private static JsonNode template(JsonNode workflow, String name) {
    for (JsonNode each : workflow.at("/spec/templates")) {
      if (each.path("name").asText().equals(name)) {
        return each;
      }
    }
    throw new AssertionError("no template " + name);
  }

  private static String variable(JsonNode template, String name) {
    for (JsonNode each : template.at("/container/env")) {
      if (each.path("name").asText().equals(name)) {
        return each.path("value").asText();
      }
    }
    throw new AssertionError("no variable " + name);
  }

  @Test
  void theDefinitionOfTheKindAcceptsIt() throws IOException {
    assumeTrue(Files.exists(DEFINITION), "there is no definition of Argo at " + DEFINITION);
    JsonNode schema =
        Json.parse(Files.readString(DEFINITION))
            .at("/spec/versions/0/schema/openAPIV3Schema/properties/spec");
    assertThat(schema.at("/properties/templates").isMissingNode()).isFalse();

    List<String> faults = new ArrayList<>();
    check(
        schema,
        ArgoWorkflow.of(frozen(DIGITS, "x"), "python:3").workflow().path("spec"),
        "spec",
        faults);

    assertThat(faults).isEmpty();
  }

  /** Types, required fields, and fields that the definition does not know. */
  private static void check(JsonNode schema, JsonNode value, String at, List<String> faults) {
    boolean fits =
        switch (schema.path("type").asText()) {
          case "object" -> value.isObject();
          case "array" -> value.isArray();
          case "string" -> value.isTextual();
          case "integer" -> value.isIntegralNumber();
          case "boolean" -> value.isBoolean();
          default -> true;
        };
    if (!fits) {
      faults.add(at + " is no " + schema.path("type").asText());
      return;
    }
    schema
        .path("required")
        .forEach(required -> {
          if (!value.has(required.asText())) {
            faults.add(at + "." + required.asText() + " is missing");
          }
        });
    if (value.isObject() && schema.has("properties")) {
      value
          .properties()
          .forEach(field -> {
            JsonNode known = schema.path("properties").path(field.getKey());
            if (known.isMissingNode()) {
              faults.add(at + "." + field.getKey() + " is not known");
            } else {
              check(known, field.getValue(), at + "." + field.getKey(), faults);
            }
          });
    }
    for (int i = 0; value.isArray() && i < value.size(); i++) {
      check(schema.path("items"), value.get(i), at + "[" + i + "]", faults);
    }
  }

  @Test
  void aStepHasItsEdgesInputsOutputsAndLimits() {
    JsonNode workflow = ArgoWorkflow.of(frozen(DIGITS, "x"), "python:3").workflow();

    JsonNode tasks = template(workflow, "pipeline").at("/dag/tasks");
    assertThat(tasks).hasSize(5);
    assertThat(tasks.get(1).path("dependencies")).hasToString("[\"prepare\"]");
    assertThat(tasks.get(1).path("when").asText())
        .isEqualTo("{{tasks.prepare.outputs.parameters.rows}} > 10");
    assertThat(tasks.get(4).at("/arguments/parameters/0/value").asText())
        .isEqualTo(
            "[\"{{tasks.train-1.outputs.parameters.score}}\",\"{{tasks.train-2.outputs.parameters.score}}\"]");
    JsonNode train = template(workflow, "train-2");
    assertThat(train.at("/container/image").asText()).isEqualTo("registry.example.com/app:1");
    assertThat(train.at("/container/resources/limits/cpu").asText()).isEqualTo("2000m");
    assertThat(train.at("/retryStrategy/limit").asText()).isEqualTo("2");
    assertThat(train.path("activeDeadlineSeconds").asInt()).isEqualTo(3_600);
    assertThat(template(workflow, "pick").at("/inputs/artifacts/1/path").asText())
        .isEqualTo("/orrery/inputs/models/2");
    assertThat(template(workflow, "ask").has("suspend")).isTrue();
    assertThat(workflow.at("/spec/onExit").asText()).isEqualTo("tell");
  }

  @Test
  void aTextIsAVariableAndNoLookupOfArgo() {
    JsonNode workflow =
        ArgoWorkflow.of(frozen(DIGITS, "{{7*7}} '; rm -rf /"), "python:3").workflow();

    assertThat(variable(template(workflow, "prepare"), "ORRERY_VALUE_1"))
        .isEqualTo("{{='{'+'{'}}7*7}} '; rm -rf /");
    assertThat(template(workflow, "prepare").at("/container/args/2").asText())
        .startsWith("echo \"${ORRERY_VALUE_1}\"");
    assertThat(template(workflow, "train-1").at("/container/args/3").asText())
        .isEqualTo("{{='{'+'{'}}7*7}} '; rm -rf /");
  }

  @Test
  void whatTheServerDoesItselfIsRefusedByItsName() {
    String yaml =
        "name: digits\nparameters: {text: {type: str}}\ntasks:\n"
            + "  - {name: deploy, service: {name: digits, command: 'true', ports: [80]}}\n";

    ProblemException refused =
        catchThrowableOfType(
            ProblemException.class, () -> ArgoWorkflow.of(frozen(yaml, "x"), "python:3"));

    assertThat(refused.problem().detail()).contains("deploy is done by this server");
  }
}
