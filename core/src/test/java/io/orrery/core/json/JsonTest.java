package io.orrery.core.json;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class JsonTest {
  @Test
  void namesOfOthersAreNotKept() {
    String text = "{\"k:{uid}\": 1}";

    assertThat(Json.parse(text).fieldNames().next())
        .isEqualTo("k:{uid}")
        .isNotSameAs(Json.parse(text).fieldNames().next());
  }
}
