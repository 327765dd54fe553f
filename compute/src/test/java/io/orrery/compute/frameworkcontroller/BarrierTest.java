package io.orrery.compute.frameworkcontroller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compute.kubernetes.Role;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BarrierTest {
  @Test
  void podsThatWaitForEachOtherShareWhatTheBarrierFindsOut() {
    JsonNode pod = new Framework(Map.of(), true).pod("job", new ExperimentId("e")).at("/spec");

    assertThat(pod.at("/initContainers/0/image").asText())
        .isEqualTo("frameworkcontroller/frameworkbarrier");
    assertThat(pod.at("/initContainers/0/volumeMounts"))
        .isEqualTo(pod.at("/containers/0/volumeMounts"));
    assertThat(pod.at("/volumes/0/emptyDir").isObject()).isTrue();
    assertThat(new Framework(Map.of(), false).pod("job", new ExperimentId("e"))).isEmpty();
  }

  @Test
  void everyCommandKnowsThePortsOfAllAndRunsWithoutTheBarrierToo() throws Exception {
    List<Role> roles = Barrier.behind(List.of(role("ps"), role("worker")));

    Process process =
        new ProcessBuilder("sh", "-c", roles.get(1).command()).redirectErrorStream(true).start();
    assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .isEqualTo("4000 4001\n");
    assertThat(process.waitFor()).isZero();
  }

  private static Role role(String name) {
    return new Role(
        name,
        1,
        "echo $FB_PS_PORT $FB_WORKER_PORT",
        "/code",
        null,
        "image",
        null,
        null,
        null,
        null,
        Json.MAPPER.createObjectNode());
  }
}
