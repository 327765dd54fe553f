package io.orrery.studio.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.service.ServiceName;
import io.orrery.studio.document.SchemaKeys;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Compares the schema of services with what reads them. */
class ServiceSchemaTest {
  private static List<Finding> findings(ObjectNode document) {
    try {
      ServiceDocumentReader.read(new ServiceName("hello"), document.toString());
      return List.of();
    } catch (ProblemException e) {
      return ((Problem.Refused) e.problem()).findings();
    }
  }

  @Test
  void theSchemaHasTheKeysOfTheReader() {
    assertThat(SchemaKeys.of("service", ""))
        .containsExactlyInAnyOrderElementsOf(ServiceDocumentReader.known());
  }

  @Test
  void theReaderKnowsTheKeysOfEachObject() {
    assertThat(findings(SchemaKeys.empty("service")))
        .noneMatch(finding -> finding.message().contains("there is no key"));
  }

  @Test
  void examplesAndDefaultsAreRight() {
    for (Map.Entry<String, JsonNode> example : SchemaKeys.examples("service")) {
      if (example.getKey().equals("code")) {
        continue; // `apply` puts the digest in its place.
      }
      ObjectNode document =
          (ObjectNode) Json.parse("{\"command\": \"x\", \"ports\": [8080], \"replicas\": 1}");
      document.set(example.getKey(), example.getValue());
      assertThat(findings(document))
          .as(example.toString())
          .noneMatch(finding -> finding.pointer().startsWith("/" + example.getKey()));
    }
  }
}
