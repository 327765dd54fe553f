package io.orrery.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.json.Json;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChangeTest {
  @Test
  void aChangeIsReadWithItsMetadataAndItsStatus() {
    Change change =
        change(
            """
            {"type":"MODIFIED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"p-1",
              "generateName":"p-","namespace":"trials","uid":"u","resourceVersion":"17",
              "deletionTimestamp":"2026-01-01T00:00:00Z","labels":{"a":"b"},
              "annotations":{"c":"{\\"d\\":[1]}"},"managedFields":[{"manager":"kubelet",
              "fieldsV1":{"f:status":{"k:{\\"type\\":\\"Ready\\"}":{".":{}}}}}]},
              "spec":{"containers":[{"name":"main","args":["}","\\\\"]}]},
              "status":{"phase":"Running"}}}
            """);

    assertThat(change)
        .isEqualTo(
            new Change.Present(
                new WatchedObject(
                    new Metadata(
                        "p-1",
                        "17",
                        "2026-01-01T00:00:00Z",
                        Map.of("a", "b"),
                        Map.of("c", "{\"d\":[1]}")),
                    Json.parse("{\"phase\":\"Running\"}"))));
  }

  @Test
  void theOrderOfItsPartsDoesNotMatter() {
    Change change =
        change(
            "{\"object\":{\"metadata\":{\"name\":\"j\"},\"kind\":\"Job\"},\"type\":\"DELETED\"}");

    assertThat(change)
        .isEqualTo(new Change.Gone(new Metadata("j", null, null, Map.of(), Map.of())));
  }

  @Test
  void aRefusalWithinTheStreamIsARefusal() {
    Change change =
        change(
            """
            {"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","metadata":{},
              "status":"Failure","code":410,"reason":"Expired","message":"too old"}}
            """);

    assertThat(change)
        .isEqualTo(new Change.Refused(new ApiFailure(410, "Expired", "too old", null)));
  }

  @Test
  void aBookmarkBringsAVersion() {
    Change change =
        change(
            """
            {"type":"BOOKMARK","object":{"kind":"Pod","apiVersion":"v1",
              "metadata":{"resourceVersion":"12746","creationTimestamp":null}}}
            """);

    assertThat(change).isEqualTo(new Change.Bookmark("12746"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"type\":\"ADDED\",\"object\":{\"metadata\":{",
        "{\"type\":\"ADDED\",\"object\":{}}",
        "{\"object\":{\"metadata\":{}}}",
        "404 page not found"
      })
  void whatIsNoChangeIsTold(String line) {
    assertThatThrownBy(() -> change(line)).isInstanceOf(JsonScanner.MalformedException.class);
  }

  private static Change change(String line) {
    return Change.of(new JsonScanner(line));
  }
}
