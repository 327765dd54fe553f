package io.orrery.studio.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

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
import io.orrery.core.run.ValueText;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Freezes pipelines whose steps run elsewhere and name secrets. */
class RunFreezerTest {
  private static final Instant NOW = Instant.parse("2026-01-31T12:00:00Z");

  private static RunSpec frozen(String yaml, String parameters) {
    PipelineName name = new PipelineName("digits");
    String json = Json.write(Document.read(yaml).root());
    PipelineSurroundings with =
        new PipelineSurroundings(
            List.of("local", "remote"),
            List.of(),
            new HostMounts(List.of()),
            ProjectSettings.NONE,
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
}
