package io.orrery.studio.notebook;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.studio.document.SchemaKeys;
import org.junit.jupiter.api.Test;

/** Compares the schema of notebooks with what reads them. */
class NotebookSchemaTest {
  @Test
  void theSchemaHasTheKeysOfTheReader() {
    assertThat(SchemaKeys.of("notebook", ""))
        .containsExactlyInAnyOrderElementsOf(NotebookDocumentReader.KEYS);
  }
}
