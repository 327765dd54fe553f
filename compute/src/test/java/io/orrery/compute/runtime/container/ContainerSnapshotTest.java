package io.orrery.compute.runtime.container;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.json.Json;
import org.junit.jupiter.api.Test;

/** Says by which instructions an image starts as its base does. */
class ContainerSnapshotTest {
  @Test
  void whatTheServerHasGivenIsSetBackToTheBase() {
    String given =
        """
        {"Env": ["PATH=/opt/bin", "TOKEN=linnet-80", "LANG=C.UTF-8", "EMPTY="],
         "Cmd": ["sleep", "600"], "Entrypoint": null, "WorkingDir": "/work",
         "Labels": {"io.orrery.replica": "service/tool/1-0", "of": "base"}}
        """;
    String base =
        """
        {"Env": ["PATH=/usr/bin", "LANG=C.UTF-8"], "Cmd": ["bash"], "Entrypoint": ["/init"],
         "Labels": {"of": "base"}}
        """;

    assertThat(ContainerSnapshot.changes(Json.parse(given), Json.parse(base)))
        .containsExactlyInAnyOrder(
            "ENV PATH=/usr/bin",
            "ENV TOKEN=",
            "LABEL io.orrery.replica=",
            "CMD [\"bash\"]",
            "ENTRYPOINT [\"/init\"]",
            "WORKDIR /");
  }

  @Test
  void whatIsAsInTheBaseStays() {
    String config = "{\"Env\": [\"PATH=/usr/bin\"], \"Cmd\": [\"bash\"]}";
    assertThat(ContainerSnapshot.changes(Json.parse(config), Json.parse(config))).isEmpty();
  }
}
