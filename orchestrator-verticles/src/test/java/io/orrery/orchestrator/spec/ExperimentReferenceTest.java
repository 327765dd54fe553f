package io.orrery.orchestrator.spec;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ExperimentReferenceTest {
  private static final Path PAGE = Path.of("..", "docs", "reference", "experiment.md");

  @Test
  void thePageOfReferenceIsWhatTheSchemasSay() throws IOException {
    if (Boolean.getBoolean("orrery.docs.write")) {
      Files.writeString(PAGE, ExperimentReference.page());
    }

    assertThat(PAGE)
        .as("-Dorrery.docs.write=true writes it anew")
        .hasContent(ExperimentReference.page());
  }
}
