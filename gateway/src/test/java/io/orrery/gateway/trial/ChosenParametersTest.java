package io.orrery.gateway.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.json.Json;
import io.orrery.core.problem.ProblemException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChosenParametersTest {
  private static String read(String text) {
    return Json.MAPPER.valueToTree(ChosenParameters.read(text).values()).toString();
  }

  @Test
  void aFileIsYamlOrJsonWithTheSameMeaning() {
    String json = "{\"lr\": 0.01, \"layers\": 3, \"act\": \"no\", \"deep\": {\"_name\": \"a\"}}";
    String yaml = "# the best so far\nlr: 0.01\nlayers: 3\nact: no\ndeep: {_name: a}\n";

    assertThat(read(yaml)).isEqualTo(read(json)).contains("\"act\":\"no\"");
    assertThat(ChosenParameters.read("parameters:\n  lr: 0.01\n").pointer())
        .isEqualTo("/parameters");
    assertThat(read("parameters:\n  lr: 0.01\n")).isEqualTo("{\"lr\":0.01}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "[1]", "lr", "lr: 1\nlr: 2\n", "{\"lr\": 1, \"lr\": 2}", "a: &x [*x]"})
  void whatIsNoObjectIsRefused(String text) {
    assertThatThrownBy(() -> ChosenParameters.read(text)).isInstanceOf(ProblemException.class);
  }
}
