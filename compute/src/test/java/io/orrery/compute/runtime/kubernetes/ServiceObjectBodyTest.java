package io.orrery.compute.runtime.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.autoscaling.v2.PodsMetricSource;
import io.orrery.core.json.Json;
import io.orrery.core.project.Mounts;
import io.orrery.core.workload.Amount;
import io.orrery.core.workload.Readings;
import io.orrery.core.workload.Resources;
import io.orrery.core.workload.UseScaling;
import io.orrery.core.workload.WorkloadPort;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.core.workload.WorkloadSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The objects of a service in a cluster, as its API server takes them. */
class ServiceObjectBodyTest {
  private static final WorkloadRef MODEL = WorkloadRef.parse("service/model");

  private final ServiceObjectBody body =
      new ServiceObjectBody(PodNames.of(Path.of("/home"), "dev"));

  private static WorkloadSpec spec(Amount cpu, Amount memory, int gpus) {
    return new WorkloadSpec(
        List.of(),
        "registry.example.com/model:1",
        null,
        Map.of(),
        List.of(new WorkloadPort("http0", 8080), new WorkloadPort("http1", 9090)),
        null,
        Duration.ofMinutes(1),
        Duration.ofSeconds(5),
        new Resources(cpu, memory, gpus),
        new Mounts(List.of()));
  }

  private JsonNode autoscaler(Amount cpu, Amount memory, int gpus, Map<String, Double> each) {
    return body.autoscaler(MODEL, spec(cpu, memory, gpus), new UseScaling(3, 5, each));
  }

  /** What an API server of Kubernetes 1.36 has taken. */
  @Test
  void aShareOfTheRequestIsAnAverageUtilization() {
    JsonNode autoscaler =
        autoscaler(new Amount(500, 2_000), Amount.UNLIMITED, 0, Map.of(Readings.CPU, 0.25));

    assertThat(autoscaler.path("apiVersion").asText()).isEqualTo("autoscaling/v2");
    assertThat(autoscaler.path("spec"))
        .isEqualTo(
            Json.parse(
                """
                {"scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "model"},
                 "minReplicas": 3, "maxReplicas": 5,
                 "metrics": [{"type": "Resource", "resource": {"name": "cpu",
                   "target": {"type": "Utilization", "averageUtilization": 50}}}]}
                """));
  }

  /** Its pods request nothing, of which there is no share. */
  @Test
  void aShareOfALimitAloneIsAnAmount() {
    JsonNode metrics =
        autoscaler(
                new Amount(0, 2_000),
                new Amount(1L << 30, 1L << 30),
                0,
                Map.of(Readings.CPU, 1.0, Readings.MEMORY, 0.8 * (1L << 30)))
            .at("/spec/metrics");

    assertThat(metrics.get(0).at("/resource/target").toString())
        .isEqualTo("{\"type\":\"AverageValue\",\"averageValue\":\"1000m\"}");
    assertThat(metrics.get(1).at("/resource").toString())
        .isEqualTo(
            "{\"name\":\"memory\",\"target\":{\"type\":\"Utilization\",\"averageUtilization\":80}}");
  }

  /** The fields of the older API for GPUs are none of v2, where one of them spoils the object. */
  @Test
  void theTermOfAGpuHasTheFieldsOfVersionTwo() throws Exception {
    JsonNode autoscaler = autoscaler(Amount.UNLIMITED, Amount.UNLIMITED, 1, Map.of("gpu", 0.5));

    assertThat(autoscaler.at("/spec/metrics/0").toString())
        .isEqualTo(
            "{\"type\":\"Pods\",\"pods\":{\"metric\":{\"name\":\"container_gpu_usage\"},"
                + "\"target\":{\"type\":\"AverageValue\",\"averageValue\":\"500m\"}}}");
    assertThat(unknown(autoscaler.at("/spec/metrics/0/pods"))).isEmpty();
    assertThat(
            unknown(
                Json.parse(
                    """
                    {"metricName": "container_gpu_usage", "targetAverageValue": "500m"}
                    """)))
        .as("the check can fail")
        .containsOnlyKeys("metricName", "targetAverageValue");
  }

  /** The fields that are none of the type in autoscaling/v2. */
  private static Map<String, Object> unknown(JsonNode metric) throws Exception {
    return Json.MAPPER.treeToValue(metric, PodsMetricSource.class).getAdditionalProperties();
  }

  @Test
  void theDeploymentIsPausedAndHasNoNumberOfItsOwn() {
    JsonNode deployment = body.deployment(MODEL, spec(Amount.UNLIMITED, Amount.UNLIMITED, 0));

    assertThat(deployment.at("/spec/paused").asBoolean()).isTrue();
    assertThat(deployment.path("spec").has("replicas")).isFalse();
    assertThat(deployment.at("/spec/selector/matchLabels"))
        .isEqualTo(deployment.at("/spec/template/metadata/labels"));
    assertThat(deployment.at("/metadata/name").asText()).isEqualTo("model");
  }

  /** A name of its own at each stage, so that a debug deploy never takes production's. */
  @Test
  void eachStageHasANameAndASelectorOfItsOwn() {
    WorkloadRef debug = WorkloadRef.parse("service/debug.model");
    WorkloadSpec spec = spec(Amount.UNLIMITED, Amount.UNLIMITED, 0);

    JsonNode service = body.service(MODEL, spec);
    JsonNode debugged = body.service(debug, spec);

    assertThat(service.at("/metadata/name").asText()).isEqualTo("model");
    assertThat(debugged.at("/metadata/name").asText()).isEqualTo("debug-model");
    assertThat(debugged.at("/spec/selector")).isNotEqualTo(service.at("/spec/selector"));
    assertThat(service.at("/spec/ports").toString())
        .isEqualTo(
            "[{\"name\":\"port8080\",\"port\":8080,\"targetPort\":8080,\"protocol\":\"TCP\"},"
                + "{\"name\":\"port9090\",\"port\":9090,\"targetPort\":9090,\"protocol\":\"TCP\"}]");
  }
}
