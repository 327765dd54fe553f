package io.orrery.orchestrator.platform.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.WatchEvent;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.orrery.core.json.Json;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LeanSerializationTest {
  private final LeanSerialization serialization = new LeanSerialization();

  @Test
  void aChangeIsReadWithItsMetadataAndItsStatus() {
    WatchEvent event =
        read(
            """
            {"type":"MODIFIED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"p-1",
              "generateName":"p-","namespace":"trials","uid":"u","resourceVersion":"17",
              "deletionTimestamp":"2026-01-01T00:00:00Z","labels":{"a":"b"},
              "annotations":{"c":"{\\"d\\":[1]}"},"managedFields":[{"manager":"kubelet",
              "fieldsV1":{"f:status":{"k:{\\"type\\":\\"Ready\\"}":{".":{}}}}}]},
              "spec":{"containers":[{"name":"main","args":["}","\\\\"]}]},
              "status":{"phase":"Running"}}}
            """);

    assertThat(event.getType()).isEqualTo("MODIFIED");
    GenericKubernetesResource pod = (GenericKubernetesResource) event.getObject();
    assertThat(pod.getKind()).isEqualTo("Pod");
    assertThat(pod.getApiVersion()).isEqualTo("v1");
    assertThat(pod.getMetadata().getName()).isEqualTo("p-1");
    assertThat(pod.getMetadata().getNamespace()).isEqualTo("trials");
    assertThat(pod.getMetadata().getUid()).isEqualTo("u");
    assertThat(pod.getMetadata().getResourceVersion()).isEqualTo("17");
    assertThat(pod.getMetadata().getDeletionTimestamp()).isEqualTo("2026-01-01T00:00:00Z");
    assertThat(pod.getMetadata().getLabels()).isEqualTo(Map.of("a", "b"));
    assertThat(pod.getMetadata().getAnnotations()).isEqualTo(Map.of("c", "{\"d\":[1]}"));
    assertThat(pod.getAdditionalProperties())
        .isEqualTo(Map.of("status", Json.parse("{\"phase\":\"Running\"}")));
  }

  @Test
  void theOrderOfItsPartsDoesNotMatter() {
    WatchEvent event =
        read("{\"object\":{\"metadata\":{\"name\":\"j\"},\"kind\":\"Job\"},\"type\":\"ADDED\"}");

    assertThat(event.getType()).isEqualTo("ADDED");
    assertThat(((GenericKubernetesResource) event.getObject()).getMetadata().getName())
        .isEqualTo("j");
  }

  @Test
  void aRefusalWithinTheStreamIsARefusal() {
    WatchEvent event =
        read(
            """
            {"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","metadata":{},
              "status":"Failure","code":410,"reason":"Expired","message":"too old"}}
            """);

    assertThat(event.getObject())
        .isInstanceOfSatisfying(
            Status.class, status -> assertThat(status.getCode()).isEqualTo(410));
  }

  @Test
  void aBookmarkBringsAVersion() {
    WatchEvent event =
        read(
            """
            {"type":"BOOKMARK","object":{"kind":"Pod","apiVersion":"v1",
              "metadata":{"resourceVersion":"12746","creationTimestamp":null}}}
            """);

    assertThat(((GenericKubernetesResource) event.getObject()).getMetadata().getResourceVersion())
        .isEqualTo("12746");
  }

  @Test
  void whatIsNoJsonIsLeftToTheLibrary() {
    assertThatThrownBy(() -> read("{\"type\":\"ADDED\",\"object\":{\"metadata\":{"))
        .isInstanceOf(KubernetesClientException.class);
  }

  private WatchEvent read(String text) {
    return serialization.unmarshal(text, WatchEvent.class);
  }
}
