package io.orrery.studio.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.Workloads.Want;
import io.orrery.core.json.Json;
import io.orrery.core.project.ProjectSettings;
import io.orrery.core.service.ServiceName;
import io.orrery.core.service.ServiceStage;
import io.orrery.studio.service.ServiceTable.ServiceRow;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Freezes documents of services. */
class ServiceFreezerTest {
  private static final ServiceName HELLO = new ServiceName("hello");

  @Test
  void aDocumentCannotNameAnotherUserThanItsOwner() {
    String text =
        """
        {"kind": "Service", "name": "hello", "command": "serve", "ports": [8080],
         "env": {"USERNAME": "bob", "GREETING": "Hello"}}
        """;

    assertThat(frozen(text).spec().environment())
        .containsEntry("USERNAME", "ann")
        .containsEntry("GREETING", "Hello");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{} | {'for': '5s'}",
        "{'retries': {'attempts': 0}} | {'attempts': 0, 'for': '5s'}",
        "{'retries': {'for': '1s'}} | {'for': '1s'}"
      })
  void requestsWaitAMomentForReplicasThatHaveJustGoneUnlessItsDocumentSaysOtherwise(
      String keys, String retries) {
    ObjectNode document = (ObjectNode) Json.parse(keys.replace('\'', '"'));
    document.put("kind", "Service").put("name", "hello").put("command", "serve");
    document.putArray("ports").add(8080);

    String route = Objects.requireNonNull(frozen(document.toString()).route());

    assertThat(Json.parse(route).get("retries")).isEqualTo(Json.parse(retries.replace('\'', '"')));
  }

  private static Want frozen(String text) {
    return ServiceFreezer.freeze(
        new ServiceRow(HELLO, ProjectName.PUBLIC, "ann", text, Instant.EPOCH, Instant.EPOCH, 1, 1),
        ServiceDocumentReader.read(HELLO, text).document(),
        ProjectSettings.NONE,
        ServiceStage.PRODUCTION,
        1,
        1,
        List.of(),
        List.of());
  }
}
