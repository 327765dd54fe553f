package io.orrery.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import org.junit.jupiter.api.Test;

class StrategicMergeTest {
  @Test
  void containersMergeByNameAndOthersComeAfter() {
    assertThat(
            merged(
                "{\"spec\":{\"containers\":[{\"name\":\"main\",\"image\":\"a\",\"env\":[{\"name\":\"X\",\"value\":\"1\"}]}]}}",
                "{\"spec\":{\"containers\":[{\"name\":\"main\",\"env\":[{\"name\":\"Y\",\"value\":\"2\"}]},{\"name\":\"side\",\"image\":\"b\"}]}}"))
        .isEqualTo(
            "{\"spec\":{\"containers\":[{\"name\":\"main\",\"image\":\"a\",\"env\":[{\"name\":\"X\",\"value\":\"1\"},{\"name\":\"Y\",\"value\":\"2\"}]},{\"name\":\"side\",\"image\":\"b\"}]}}");
  }

  @Test
  void nullRemovesAndOtherListsAreReplaced() {
    assertThat(
            merged(
                "{\"spec\":{\"a\":1,\"tolerations\":[{\"key\":\"x\"}]}}",
                "{\"spec\":{\"a\":null,\"tolerations\":[{\"key\":\"y\"}],\"nodeSelector\":{\"zone\":\"b\"}}}"))
        .isEqualTo(
            "{\"spec\":{\"tolerations\":[{\"key\":\"y\"}],\"nodeSelector\":{\"zone\":\"b\"}}}");
  }

  @Test
  void anElementIsDeletedByItsKey() {
    assertThat(
            merged(
                "{\"volumes\":[{\"name\":\"v\"},{\"name\":\"w\"}]}",
                "{\"volumes\":[{\"name\":\"v\",\"$patch\":\"delete\"}]}"))
        .isEqualTo("{\"volumes\":[{\"name\":\"w\"}]}");
  }

  private static String merged(String target, String patch) {
    ObjectNode object = (ObjectNode) Json.parse(target);
    StrategicMerge.into(object, Json.parse(patch));
    return object.toString();
  }
}
