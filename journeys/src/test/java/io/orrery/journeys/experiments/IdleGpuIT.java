package io.orrery.journeys.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.journeys.ServerProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Watches GPUs that trials hold and do not use, on a machine whose nvidia-smi knows of two. */
@EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
class IdleGpuIT {
  private static final String SMI =
      """
      #!/bin/sh
      case "$*" in
        *index,pci.bus_id*) echo "0, 00000000:07:00.0, 40960, A100"
          echo "1, 00000000:0F:00.0, 40960, A100" ;;
        *utilization.gpu*) echo "0, 0, 3, A100"; echo "1, 0, 3, A100" ;;
        *query-compute-apps*) ;;
        *) exit 2 ;;
      esac
      """;

  @Test
  @Timeout(180)
  void aGpuThatATrialDoesNotUseIsNamedWithTheTrial(@TempDir Path temp) throws Exception {
    Path bin = Files.createDirectories(temp.resolve("bin"));
    Path smi = Files.writeString(bin.resolve("nvidia-smi"), SMI);
    Files.setPosixFilePermissions(smi, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path code = Files.createDirectories(temp.resolve("code"));
    Files.writeString(code.resolve("trial.sh"), "sleep 600\n");
    Path home = temp.resolve("home").toAbsolutePath();
    Map<String, String> environment =
        Map.of("PATH", bin + ":" + System.getenv("PATH"), "ORRERY_QUOTA_GPU_IDLE_MINUTES", "0");
    List<String> flags = List.of("--port", "0", "--router-port", "off");
    try (ServerProcess server = ServerProcess.begin(home, flags, environment).ready()) {
      await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> server.get("/usage/gpus").path("items").size() == 2);
      assertThat(server.get("/usage/gpus").path("items"))
          .allMatch(gpu -> gpu.path("state").asText().equals("free"));
      String id =
          server
              .post(
                  "/experiments",
                  """
                  trialCommand: sh trial.sh
                  trialCodeDirectory: %s
                  trialConcurrency: 1
                  trialGpuNumber: 1
                  maxTrialNumber: 1
                  searchSpace: {x: {_type: uniform, _value: [0, 1]}}
                  tuner: {name: Random}
                  trainingService: {platform: local, useActiveGpu: true}
                  """
                      .formatted(code.toAbsolutePath()))
              .get("id")
              .asText();
      await()
          .atMost(Duration.ofSeconds(70))
          .pollInterval(Duration.ofMillis(500))
          .until(() -> !idle(server).isEmpty());
      JsonNode gpu = idle(server).getFirst();
      assertThat(gpu.at("/holders/0/kind").asText()).isEqualTo("experiment");
      assertThat(gpu.at("/holders/0/name").asText()).isEqualTo(id);
      assertThat(gpu.at("/holders/0/project").asText()).isEqualTo("public");
      assertThat(gpu.path("since").asText()).isNotEmpty();
      assertThat(idle(server)).hasSize(1);
    }
  }

  private static List<JsonNode> idle(ServerProcess server) throws Exception {
    return server
        .get("/usage/gpus")
        .path("items")
        .valueStream()
        .filter(gpu -> gpu.path("state").asText().equals("idle"))
        .toList();
  }
}
