package io.orrery.core.trial;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ParameterRecordTest {
  private static ParameterSet set(String id) {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("lr", 1e-7);
    values.put("batch", 32);
    values.put("name", "größe \"x\"");
    values.put("none", null);
    values.put("list", Arrays.asList(1, 2.5, null));
    values.put("opt", Map.of("_name", "sgd"));
    return new ParameterSet(3, id, ParameterSource.ALGORITHM, new Parameters(values));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "17", "-4", "007", "abc", "9999999999999999999"})
  void theTextIsThatOfTheRecord(String id) {
    assertThat(ParameterRecord.text(set(id))).isEqualTo(ParameterRecord.of(set(id)).toString());
  }

  @Test
  void anIdIsANumberWhereItIsOne() {
    assertThat(List.of(ParameterRecord.text(set("17")), ParameterRecord.text(set("007"))))
        .satisfiesExactly(
            number -> assertThat(number).startsWith("{\"parameter_id\":17,"),
            text -> assertThat(text).startsWith("{\"parameter_id\":\"007\","));
  }
}
