package io.orrery.core.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.json.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ParametersTest {
  @Test
  void whatTheyWereMadeOfDoesNotChangeThem() {
    List<Object> list = new ArrayList<>(List.of(1, 2));
    Map<String, Object> inner = new HashMap<>(Map.of("list", list));
    Map<String, @Nullable Object> outer = new HashMap<>(Map.of("inner", inner));
    Parameters parameters = new Parameters(outer);

    list.add(3);
    inner.put("more", 1);
    outer.put("more", 1);

    assertThat(parameters.toJson()).isEqualTo("{\"inner\":{\"list\":[1,2]}}");
  }

  @Test
  void nothingInThemCanBeChanged() {
    Parameters parameters =
        new Parameters(Map.of("inner", Map.of("list", List.of(1)), "list", List.of(Map.of())));
    Map<?, ?> inner = (Map<?, ?>) parameters.values().get("inner");

    assertThatThrownBy(() -> parameters.values().clear())
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(inner::clear).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> ((List<?>) inner.get("list")).removeFirst())
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void theyKeepTheOrderOfTheirNamesAndTheirNulls() {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    values.put("z", null);
    values.put("a", 1);

    assertThat(new Parameters(values).toJson()).isEqualTo("{\"z\":null,\"a\":1}");
  }

  @Test
  void theCanonicalTextIsEqualForWhatMeansTheSame() {
    Parameters one = read("{\"a\":2,\"b\":{\"_name\":\"x\",\"c\":[1,true,null]}}");
    Parameters same = read("{\"b\":{\"c\":[1.0,true,null],\"_name\":\"x\"},\"a\":2.0}");
    Parameters other = read("{\"a\":2,\"b\":{\"_name\":\"x\",\"c\":[true,1,null]}}");
    Parameters text = read("{\"a\":\"2\",\"b\":{\"_name\":\"x\",\"c\":[1,true,null]}}");

    assertThat(one.canonical())
        .isEqualTo(same.canonical())
        .isNotEqualTo(other.canonical())
        .isNotEqualTo(text.canonical());
  }

  @Test
  void theyReadFromWhatTheyWrite() {
    Parameters parameters = read("{\"lr\":0.1,\"n\":3,\"opt\":{\"_name\":\"none\"}}");

    assertThat(Json.read(Json.write(parameters), Parameters.class)).isEqualTo(parameters);
    assertThat(Json.write(parameters)).isEqualTo(parameters.toJson());
  }

  private static Parameters read(String json) {
    return Json.read(json, Parameters.class);
  }
}
