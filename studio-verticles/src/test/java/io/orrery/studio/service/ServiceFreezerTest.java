package io.orrery.studio.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.access.ProjectName;
import io.orrery.core.service.ServiceName;
import io.orrery.core.service.ServiceStage;
import io.orrery.studio.service.ServiceTable.ServiceRow;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

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
    ServiceRow ofAnn =
        new ServiceRow(HELLO, ProjectName.PUBLIC, "ann", text, Instant.EPOCH, Instant.EPOCH, 1, 1);

    assertThat(
            ServiceFreezer.freeze(
                    ofAnn,
                    ServiceDocumentReader.read(HELLO, text).document(),
                    null,
                    ServiceStage.PRODUCTION,
                    1,
                    1,
                    List.of(),
                    List.of())
                .spec()
                .environment())
        .containsEntry("USERNAME", "ann")
        .containsEntry("GREETING", "Hello");
  }
}
