package io.orrery.compute.runtime.container;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.project.Mounts;
import io.orrery.core.workload.Amount;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.Resources;
import io.orrery.core.workload.WorkloadPort;
import io.orrery.core.workload.WorkloadSpec;
import io.orrery.core.workload.Workspaces;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ContainerBodyTest {
  private static final ReplicaRef REPLICA = ReplicaRef.parse("service/hello/3-1");
  private static final ContainerLabels LABELS = new ContainerLabels("0123456789abcdef", "box");

  private static final PersonalMounts PERSONAL =
      new PersonalMounts(new Workspaces(Path.of("/srv/workspaces")), "7:8");

  private static WorkloadSpec spec(List<String> command) {
    return new WorkloadSpec(
        command,
        "example.com/team/app:1",
        "/srv/the code",
        Map.of("API_KEY", "sesame"),
        List.of(new WorkloadPort("http0", 80)),
        null,
        Duration.ofMinutes(1),
        Duration.ofSeconds(30),
        new Resources(new Amount(0, 1_500), new Amount(256 << 20, 512 << 20), 0),
        Mounts.read("/data(hostpath):/in,2G(memory):/dev/shm,16M(memory):/scratch").value());
  }

  private static JsonNode body(ContainerNetwork network, List<String> command) {
    return new ContainerBody(LABELS, network, true, PERSONAL)
        .of(REPLICA, spec(command), Path.of("/replica/work"), Map.of("http0", 61_234));
  }

  @Test
  void aContainerIsPublishedOnLoopbackAndListensOnTheNumberOfTheDocument() {
    JsonNode body = body(ContainerNetwork.BRIDGE, List.of("serve", "--all"));

    assertThat(body.at("/HostConfig/PortBindings/80~1tcp").toString())
        .isEqualTo("[{\"HostIp\":\"127.0.0.1\",\"HostPort\":\"61234\"}]");
    assertThat(body.get("Env").toString())
        .contains("\"PORT=80\"", "\"PORT_HTTP0=80\"", "\"ORRERY_LISTEN=0.0.0.0\"");
    assertThat(body.get("Entrypoint").toString()).isEqualTo("[\"serve\",\"--all\"]");
    assertThat(body.get("Cmd")).isEmpty();
  }

  @Test
  void inTheNetworkOfTheMachineItListensOnTheGivenPort() {
    JsonNode body = body(ContainerNetwork.HOST, List.of());

    assertThat(body.at("/HostConfig/NetworkMode").asText()).isEqualTo("host");
    assertThat(body.get("Env").toString()).contains("\"PORT=61234\"");
    assertThat(body.has("ExposedPorts")).isFalse();
    assertThat(body.has("Entrypoint")).isFalse();
  }

  @Test
  void limitsAndMountsAreThoseOfTheSpecification() {
    JsonNode host = body(ContainerNetwork.BRIDGE, List.of()).get("HostConfig");

    assertThat(host.get("NanoCpus").asLong()).isEqualTo(1_500_000_000L);
    assertThat(host.get("Memory").asLong()).isEqualTo(512L << 20);
    assertThat(host.get("MemorySwap").asLong()).isEqualTo(512L << 20);
    assertThat(host.get("MemoryReservation").asLong()).isEqualTo(256L << 20);
    assertThat(host.get("ShmSize").asLong()).isEqualTo(2L << 30);
    assertThat(host.get("Mounts").toString())
        .isEqualTo(
            "[{\"Type\":\"bind\",\"Source\":\"/srv/the code\",\"Target\":\"/srv/the code\",\"ReadOnly\":true},"
                + "{\"Type\":\"bind\",\"Source\":\"/data\",\"Target\":\"/in\",\"ReadOnly\":false},"
                + "{\"Type\":\"tmpfs\",\"Target\":\"/scratch\","
                + "\"TmpfsOptions\":{\"SizeBytes\":16777216,\"Mode\":1023}}]");
  }

  @Test
  void labelsAndTheNameTellTheReplicaAndNoVariable() {
    JsonNode labels = body(ContainerNetwork.BRIDGE, List.of()).get("Labels");

    assertThat(labels.toString()).doesNotContain("sesame");
    assertThat(labels.get("io.orrery.replica").asText()).isEqualTo("service/hello/3-1");
    assertThat(LABELS.replica(Map.of("io.orrery.replica", "service/hello/3-1"))).isEqualTo(REPLICA);
    assertThat(LABELS.replica(Map.of("io.orrery.replica", "else"))).isNull();
    assertThat(LABELS.name(REPLICA, "run-2"))
        .isEqualTo("orrery-0123456789abcdef-service-hello-3-1-run-2");
  }

  @Test
  void filesAreMountedReadOnly() {
    WorkloadSpec spec = spec(List.of()).withFiles(Map.of("models.config", "x"));

    JsonNode body =
        new ContainerBody(LABELS, ContainerNetwork.HOST, true, PERSONAL)
            .of(REPLICA, spec, Path.of("/replica/work"), Map.of("http0", 61_234));

    assertThat(body.at("/HostConfig/Binds").toString())
        .isEqualTo("[\"/replica/config:/config:ro\"]");
    assertThat(body.at("/Env").toString()).contains("ORRERY_CONFIG=/config");
  }

  @Test
  void theDirectoriesOfAPersonAreMountedForTheOwnerWhateverClaimTheyAreElsewhere() {
    WorkloadSpec spec =
        new WorkloadSpec(
            List.of("serve"),
            "example.com/team/app:1",
            null,
            Map.of("USERNAME", "ann"),
            List.of(),
            null,
            Duration.ofMinutes(1),
            Duration.ofSeconds(30),
            Resources.UNLIMITED,
            Mounts.read("home(pvc):/mnt,old(pvc):/archives").value());
    ContainerBody body = new ContainerBody(LABELS, ContainerNetwork.BRIDGE, true, PERSONAL);

    JsonNode notebook =
        body.of(ReplicaRef.parse("notebook/ann-1/1-0"), spec, Path.of("/replica/work"), Map.of());
    JsonNode service = body.of(REPLICA, spec, Path.of("/replica/work"), Map.of());

    assertThat(notebook.at("/HostConfig/Binds").toString())
        .isEqualTo("[\"/srv/workspaces/ann:/mnt/ann\",\"/srv/archives/ann:/archives/ann\"]");
    assertThat(service.at("/HostConfig/Binds")).isEqualTo(notebook.at("/HostConfig/Binds"));
    // Its files belong to the user of the server.
    assertThat(notebook.get("User").asText()).isEqualTo("7:8");
    assertThat(service.has("User")).isFalse();
    assertThat(ContainerCheck.of(spec)).isEmpty();
  }
}
