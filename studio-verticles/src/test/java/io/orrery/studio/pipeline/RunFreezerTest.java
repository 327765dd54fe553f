package io.orrery.studio.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.Pipelines.Pipeline;
import io.orrery.core.json.Document;
import io.orrery.core.json.Json;
import io.orrery.core.project.HostMounts;
import io.orrery.core.project.ProjectSettings;
import io.orrery.core.run.PipelineName;
import io.orrery.core.run.RunId;
import io.orrery.core.run.RunSpec;
import io.orrery.core.run.StepCluster;
import io.orrery.core.run.StepContainer;
import io.orrery.core.run.StepSpec;
import io.orrery.core.run.ValueText;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Freezes pipelines whose steps run elsewhere and name secrets. */
class RunFreezerTest {
  private static final Instant NOW = Instant.parse("2026-01-31T12:00:00Z");

  private static final StepSpec IN_A_POD =
      frozen(
              """
              tasks:
                - name: fit
                  command: env
                  image: "python:3"
                  cluster: kube
                  volume_mount: "data(pvc):/data"
                  resources: {cpu: 2, memory: 4G, gpu: 1}
              """,
              "{}")
          .steps()
          .getFirst();

  private static final StepSpec HERE =
      frozen("tasks: [{name: look, command: env}]", "{}").steps().getFirst();

  private static RunSpec frozen(String yaml, String parameters) {
    PipelineName name = new PipelineName("digits");
    String json = Json.write(Document.read(yaml).root());
    PipelineSurroundings with =
        new PipelineSurroundings(
            List.of("local", "remote"),
            List.of(new StepCluster("kube", StepContainer.PODS)),
            new HostMounts(List.of()),
            ProjectSettings.read("{\"node_selector\": \"zone=a\"}").orThrow(),
            Map.of());
    return RunFreezer.freeze(
        new RunFreezer.Start(
            new RunId("r1"),
            new Pipeline(name, ProjectName.PUBLIC, "ann", json, NOW, NOW, 4),
            4,
            (ObjectNode) Json.parse(parameters),
            "bob",
            true,
            null,
            NOW),
        PipelineDocumentReader.read(name, json, with).document());
  }

  @Test
  void aVariableIsAReferenceToASecretOnlyWhereTheDocumentWritesIt() {
    RunSpec run =
        frozen(
            """
            parameters: {x: {type: str}}
            env: {DB: "secret:db", GIVEN: "{{parameters.x}}"}
            tasks:
              - name: a
                command: env
                env: {OTHER: "{{environment.DB}}", PARAMETER: "{{parameters.x}}"}
            """,
            "{\"x\": \"secret:hub\"}");

    Map<String, ValueText> environment = run.steps().getFirst().environment();
    assertThat(environment.get("DB").written()).contains("secret:db");
    assertThat(environment.get("OTHER").written()).contains("secret:db");
    assertThat(environment.get("GIVEN").written()).isEmpty();
    assertThat(environment.get("PARAMETER").written()).isEmpty();
    assertThat(environment.get("PARAMETER").shown()).isEqualTo("secret:hub");
  }

  @Test
  void theKeysOfATrainingServiceAreKeptAsTheyAreWritten() {
    RunSpec run =
        frozen(
            """
            tasks:
              - name: a
                command: env
                trainingService:
                  platform: Remote
                  machineList: [{host: h, user: ann, password: "secret:h"}]
            """,
            "{}");

    assertThat(run.steps().getFirst().platform()).isEqualTo("remote");
    assertThat(run.steps().getFirst().settings().canonical())
        .isEqualTo(
            "{\"machineList\":[{\"host\":\"h\",\"password\":\"secret:h\",\"user\":\"ann\"}]}");
  }

  @Test
  void aStepOfAValueHasANameOfItsOwn() {
    assertThatThrownBy(() ->
            frozen(
                """
                parameters: {values: {type: str}}
                tasks:
                  - {name: fit-2, command: env}
                  - {name: fit, command: env, each: {n: "{{parameters.values}}"}}
                """,
                "{\"values\": \"1, 2, 3\"}"))
        .hasMessageContaining("there would be two steps of the name fit-2");
  }

  /** The variables of the original that do not depend on the machine, one by one. */
  @ParameterizedTest
  @CsvSource({
    "KFJ_PIPELINE_ID, digits, digits",
    "KFJ_PIPELINE_NAME, digits, digits",
    "KFJ_RUN_ID, 7c92cf1eee8d39cc85f8355a3d6e4b86, 7c92cf1eee8d39cc85f8355a3d6e4b86",
    "KFJ_CREATOR, ann, ann",
    "KFJ_RUNNER, bob, bob",
    "KFJ_ARCHIVE_BASE_PATH, /archives, /archives",
    "KFJ_NAMESPACE, pipeline, pipeline",
    "KFJ_ENVIRONMENT, kube, local",
    "KFJ_TASK_ID, fit, look",
    "KFJ_TASK_NAME, fit, look",
    "KFJ_TASK_NODE_SELECTOR, zone=a;gpu=true;train=true;org=public, ''",
    "KFJ_TASK_VOLUME_MOUNT, data(pvc):/data, ''",
    "KFJ_TASK_IMAGES, python:3, ''",
    "KFJ_TASK_RESOURCE_CPU, 2, ''",
    "KFJ_TASK_RESOURCE_MEMORY, 4G, ''",
    "KFJ_TASK_RESOURCE_GPU, 1, 0",
    "KFJ_TASK_PROJECT_NAME, public, public",
    "USERNAME, ann, ann",
    "IMAGE_PULL_POLICY, Always, Always",
    "HUBSECRET, '', ''",
    "NVIDIA_VISIBLE_DEVICES, , none"
  })
  void everyVariableOfTheOriginalHasItsValue(
      String name, @Nullable String inAPod, @Nullable String here) {
    assertThat(IN_A_POD.context().get(name)).isEqualTo(inAPod);
    assertThat(HERE.context().get(name)).isEqualTo(here);
  }
}
