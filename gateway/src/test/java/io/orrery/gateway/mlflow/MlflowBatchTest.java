package io.orrery.gateway.mlflow;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a batch of MLflow's API is read as strictly as all other JSON (E7). */
class MlflowBatchTest {
  private static void read(String body) {
    MlflowBatch.read(body.getBytes(UTF_8));
  }

  @Test
  void aBatchIsTakenWithKeysThatAreNotKnown() {
    assertThatCode(() ->
            read(
                """
                {"run_id": "r1", "new": {"a": [1]},
                 "metrics": [{"key": "loss", "value": "NaN", "timestamp": "7", "step": 1}],
                 "params": [{"key": "lr", "value": "0.1"}], "tags": []}
                """))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"run_id\": \"r1\", \"run_id\": \"r2\"}",
        "{\"run_id\": \"r1\", \"metrics\": [], \"metrics\": []}",
        "{\"run_id\": \"r1\", \"metrics\": [{\"key\": \"a\", \"value\": 1, \"value\": 2}]}",
        "{\"run_id\": \"r1\", \"params\": [{\"key\": \"a\", \"key\": \"b\", \"value\": \"1\"}]}",
        "{\"run_id\": \"r1\", \"new\": {\"a\": 1, \"a\": 2}}",
      })
  void aKeyThatIsThereTwiceIsRefused(String body) {
    assertThatThrownBy(() -> read(body)).hasMessageContaining("Duplicate field");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{\"run_id\": \"r1\"} {}", "{\"run_id\": \"r1\"} x", "{\"run_id\": \"r1\""})
  void aBodyThatIsMoreOrLessThanOneObjectIsRefused(String body) {
    assertThatThrownBy(() -> read(body)).isInstanceOf(RuntimeException.class);
  }
}
