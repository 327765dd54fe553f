package io.orrery.gateway.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.schema.DocumentSchemas;
import org.junit.jupiter.api.Test;

/** Compares the schema of models with what reads them. */
class ModelSchemaTest {
  @Test
  void theKeysOfTheSchemaAreKnownToTheReaders() {
    assertThat(DocumentSchemas.of("model").get("properties").fieldNames())
        .toIterable()
        .filteredOn(key -> !key.equals("versions"))
        .isSubsetOf(ModelApi.KEYS);
    assertThat(DocumentSchemas.of("model").at("/properties/versions/items/properties").fieldNames())
        .toIterable()
        .isSubsetOf(VersionApi.KEYS);
  }
}
