package io.orrery.journeys.pipelines;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compute.storage.Azurite;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Runs a pipeline whose artifacts lie in a container of a real Azurite. */
@EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
@Timeout(300)
class ContainerPipelineIT extends PipelineJourney {
  private static final String CONTAINER = "artifacts";

  private Azurite store;

  @Override
  void configure() throws Exception {
    store = Azurite.start(Files.createDirectories(temp.toAbsolutePath().resolve("azurite")));
    store.container(CONTAINER).create();
    Files.writeString(
        home().resolve("orrery.yml"),
        """
        artifacts:
          azure:
            account: %s
            container: %s
            prefix: runs
            key: %s
            endpoint: %s
        """
            .formatted(Azurite.ACCOUNT, CONTAINER, Azurite.KEY, store.url()));
  }

  @AfterEach
  void end() {
    if (store != null) {
      store.close();
    }
  }

  @Test
  void outputsGoToTheContainerAndComeFromItToOtherStepsAndClients() throws Exception {
    put(
        "two",
        """
        kind: Pipeline
        name: two
        tasks:
          - name: make
            command: |
              mkdir "$ORRERY_OUTPUTS/data"; echo rows > "$ORRERY_OUTPUTS/data/a.csv"
              echo word > "$ORRERY_OUTPUTS/small"
            outputs: {data: {path: data}, small: {path: small}}
          - name: use
            command: cat "$ORRERY_INPUTS/data/a.csv"
            inputs: {data: "{{tasks.make.outputs.data}}"}
        """);
    String id = run("two", "{}");
    JsonNode run = awaitEnd(id);

    assertThat(run.path("status").asText()).as(run.toPrettyString()).isEqualTo("SUCCEEDED");
    assertThat(store.names(CONTAINER, "runs/"))
        .contains(step(run, "make").at("/outputs/data/digest").textValue())
        .contains(step(run, "make").at("/outputs/small/digest").textValue());
    try (Stream<Path> left = Files.walk(home().resolve("run-artifacts"))) {
      assertThat(left.filter(Files::isRegularFile)).isEmpty();
    }
    assertThat(text("/runs/" + id + "/steps/use/logs/stdout")).isEqualTo("rows\n");
    assertThat(text("/runs/" + id + "/artifacts/make/small")).isEqualTo("word\n");
    assertThat(Files.readString(home().resolve("server.log"))).doesNotContain(Azurite.KEY);
  }
}
