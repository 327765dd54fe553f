package io.orrery.orchestrator.spec;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ExperimentReferenceTest {
  private static final Path PAGE = Path.of("..", "docs", "reference", "experiment.md");
  private static final Path JSON_SCHEMA =
      Path.of("..", "cli/src/main/resources/io/orrery/cli/completion/experiment.schema.json");

  @Test
  void thePageOfReferenceIsWhatTheSchemasSay() throws IOException {
    if (Boolean.getBoolean("orrery.docs.write")) {
      Files.writeString(PAGE, ExperimentReference.page());
    }

    assertThat(PAGE)
        .as("-Dorrery.docs.write=true writes it anew")
        .hasContent(ExperimentReference.page());
  }

  @Test
  void theJsonSchemaThatTheCommandPrintsIsWhatTheSchemasSay() throws IOException { // H
    if (Boolean.getBoolean("orrery.docs.write")) {
      Files.writeString(JSON_SCHEMA, ExperimentJsonSchema.text());
    }

    assertThat(JSON_SCHEMA)
        .as("-Dorrery.docs.write=true writes it anew")
        .hasContent(ExperimentJsonSchema.text());
  }
}
