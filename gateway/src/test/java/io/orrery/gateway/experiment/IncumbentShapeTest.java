package io.orrery.gateway.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Incumbents;
import io.orrery.core.bus.contract.Incumbents.Incumbent;
import io.orrery.core.id.TrialId;
import io.orrery.core.json.Json;
import io.orrery.core.trial.Parameters;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of which experiments the incumbent is asked for. */
class IncumbentShapeTest {
  private final Vertx vertx = Vertx.vertx();
  private final Bus bus = Bus.of(vertx);

  @AfterEach
  void close() throws TimeoutException {
    get(vertx.close());
  }

  private static <T> T get(Future<T> future) throws TimeoutException {
    return future.await(10, TimeUnit.SECONDS);
  }

  private ObjectNode added(String tuner, String objectives, Duration timeout)
      throws TimeoutException {
    String json = "{\"id\": \"exp1\", \"objectives\": %s, \"config\": {\"tuner\": %s}}";
    ObjectNode experiment = (ObjectNode) Json.parse(json.formatted(objectives, tuner));
    return get(new IncumbentShape(bus, timeout).added(experiment));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"name\": \"Auto\", \"classArgs\": {\"repeats\": true}} | [{}] | true",
        "{\"name\": \"auto\", \"classArgs\": {\"repeats\": true}} | [{}, {}] | false",
        "{\"name\": \"Auto\", \"classArgs\": {\"repeats\": false}} | [{}] | false",
        "{\"name\": \"Auto\"} | [{}] | false",
        "{\"name\": \"Auto\", \"classArgs\": {\"no_resampling\": false}} | [{}] | false",
        "{\"name\": \"GPTuner\", \"classArgs\": {\"repeats\": true}} | [{}] | true",
        "{\"name\": \"Metis\", \"classArgs\": {\"no_resampling\": false}} | [{}] | true",
        "{\"name\": \"Metis\"} | [{}] | false",
        "{\"className\": \"mine.Own\", \"classArgs\": {\"repeats\": true}} | [{}] | false"
      })
  void onlySearchesThatRepeatHaveOne(String tuner, String objectives, boolean has)
      throws TimeoutException {
    Incumbent incumbent =
        new Incumbent(new Parameters(Map.of("x", 0.5)), List.of(new TrialId("t1")), 2.0);
    get(bus.serve(Incumbents.INCUMBENT, question -> Future.succeededFuture(incumbent)));

    assertThat(
            added(tuner, objectives, Duration.ofSeconds(10))
                .path("incumbent")
                .path("mean")
                .asDouble())
        .isEqualTo(has ? 2.0 : 0.0);
  }

  @Test
  void theExperimentIsToldWithoutAnIncumbentThatTakesLong() throws TimeoutException {
    get(bus.serve(Incumbents.INCUMBENT, question -> Promise.<Incumbent>promise().future()));

    assertThat(
            added(
                "{\"name\": \"GP\", \"classArgs\": {\"repeats\": true}}",
                "[{}]",
                Duration.ofMillis(10)))
        .hasSize(3);
  }
}
