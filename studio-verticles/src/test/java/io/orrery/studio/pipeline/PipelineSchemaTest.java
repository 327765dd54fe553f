package io.orrery.studio.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.studio.document.SchemaKeys;
import org.junit.jupiter.api.Test;

/** Compares the schemas of pipelines and templates with what reads them. */
class PipelineSchemaTest {
  @Test
  void theSchemaHasTheKeysOfTheReader() {
    assertThat(SchemaKeys.of("pipeline", ""))
        .containsExactlyInAnyOrderElementsOf(PipelineDocumentReader.KEYS);
    assertThat(SchemaKeys.of("pipeline", "/properties/tasks/items"))
        .containsExactlyInAnyOrderElementsOf(TaskReader.KEYS);
    assertThat(SchemaKeys.of("pipeline", "/properties/onExit"))
        .containsExactlyInAnyOrderElementsOf(PipelineDocumentReader.EXIT_KEYS);
    assertThat(SchemaKeys.of("pipeline", "/properties/alerts"))
        .containsExactlyInAnyOrderElementsOf(AlertReader.KEYS);
  }

  @Test
  void theSchemaOfTemplatesHasTheKeysOfTheReader() {
    assertThat(SchemaKeys.of("template", ""))
        .containsExactlyInAnyOrderElementsOf(TemplateDocumentReader.KEYS);
  }
}
