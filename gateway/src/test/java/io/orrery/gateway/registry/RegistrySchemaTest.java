package io.orrery.gateway.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.schema.DocumentSchemas;
import org.junit.jupiter.api.Test;

/** Compares the schema of registries with what reads them. */
class RegistrySchemaTest {
  @Test
  void theSchemaHasTheKeysOfTheReader() {
    assertThat(DocumentSchemas.of("registry").get("properties").fieldNames())
        .toIterable()
        .containsExactlyInAnyOrderElementsOf(RegistryApi.KEYS);
  }
}
