package io.orrery.gateway.build;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.schema.DocumentSchemas;
import org.junit.jupiter.api.Test;

/** Compares the schema of image builds with what reads them. */
class BuildSchemaTest {
  @Test
  void theSchemaHasTheKeysOfTheReader() {
    assertThat(DocumentSchemas.of("imagebuild").get("properties").fieldNames())
        .toIterable()
        .containsExactlyInAnyOrderElementsOf(BuildDocument.KEYS);
  }
}
