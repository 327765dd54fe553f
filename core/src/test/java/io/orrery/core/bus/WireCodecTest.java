package io.orrery.core.bus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.dataformat.cbor.databind.CBORMapper;
import io.orrery.core.bus.contract.Dispatchers;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.bus.contract.Metrics;
import io.orrery.core.bus.contract.TrainingServices;
import io.orrery.core.bus.contract.TrialKeepers;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.bus.contract.Tuners;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that every record that travels arrives as it was sent. */
class WireCodecTest {
  static Stream<Record> answers() {
    return Stream.concat(
        WireMessages.everything().stream().map(Answer.Given::new),
        Stream.<Problem>of(
                new Problem.Refused(
                    "two", List.of(new Finding("/a", "b", 1), new Finding("", "c"))),
                new Problem.NotFound("x"),
                new Problem.Conflict("x"),
                new Problem.Unauthorized("x"),
                new Problem.Forbidden("x"),
                new Problem.TooLarge("x"),
                new Problem.Busy("x", Duration.ofMillis(1_250)),
                new Problem.Unavailable("x", Duration.ofSeconds(2)),
                new Problem.Broken("x"))
            .map(Answer.Declined::new));
  }

  @ParameterizedTest
  @MethodSource({"io.orrery.core.bus.WireMessages#everything", "answers"})
  void whatIsSentArrives(Record sent) {
    Record arrived = (Record) throughTheWire(sent);

    assertThat(arrived)
        .usingRecursiveComparison()
        .withEqualsForType(Double::equals, Double.class)
        .isEqualTo(sent);
    assertThat(arrived).hasSameClassAs(sent);
  }

  @Test
  void everyRecordOfTheContractsIsTried() {
    Set<Class<?>> tried =
        WireMessages.everything().stream()
            .map(Object::getClass)
            .collect(Collectors.toUnmodifiableSet());

    assertThat(
            Stream.of(
                    Experiments.class,
                    Trials.class,
                    Tuners.class,
                    Metrics.class,
                    TrialKeepers.class,
                    Dispatchers.class)
                .flatMap(contract -> Stream.of(contract.getDeclaredClasses()))
                .filter(Class::isRecord))
        .hasSizeGreaterThan(35)
        .allMatch(tried::contains);
  }

  @Test
  void equalRecordsStayEqual() {
    assertThat(throughTheWire(WireValues.VIEW)).isEqualTo(WireValues.VIEW);
    assertThat(throughTheWire(WireValues.RUN)).isEqualTo(WireValues.RUN);
    assertThat(throughTheWire(WireValues.SPEC)).isEqualTo(WireValues.SPEC);
  }

  @Test
  void theRemedyOfACheckedItemKeepsItsKey() {
    Buffer sent = Buffer.buffer();
    new WireCodec().encodeToWire(sent, TrainingServices.Item.bad("quota", "no room", "ask less"));

    assertThat(sent.toString(StandardCharsets.ISO_8859_1))
        .contains("dmend")
        .doesNotContain("remedy");
  }

  @Test
  void aForeignClassIsRefused() {
    for (String name :
        List.of(
            "java.io.File", "io.vertx.core.Vertx", "io.orrery.corex.X", "io.orrery.core.None")) {
      assertThatThrownBy(() -> decode(name, new byte[] {(byte) 0xA0}))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(name);
    }
  }

  @Test
  void aClassOfOursThatIsNoMessageIsRefused() {
    assertThatThrownBy(() -> decode("io.orrery.core.json.Json", new byte[] {(byte) 0xA0}))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aForeignClassInsideAnAnswerIsRefused() {
    String json = "{\"type\":\"given\",\"value\":{\"@class\":\"java.util.Date\"}}";
    byte[] cbor = cborOf(json);

    assertThatThrownBy(() -> decode(Answer.Given.class.getName(), cbor))
        .hasMessageContaining("java.util.Date");
  }

  private static byte[] cborOf(String json) {
    try {
      return new CBORMapper().writeValueAsBytes(Json.parse(json));
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }

  private static Object decode(String type, byte[] body) {
    byte[] name = type.getBytes(StandardCharsets.UTF_8);
    Buffer buffer =
        Buffer.buffer()
            .appendInt(name.length)
            .appendBytes(name)
            .appendInt(body.length)
            .appendBytes(body);
    return new WireCodec().decodeFromWire(0, buffer);
  }

  static Object throughTheWire(Object message) {
    WireCodec codec = new WireCodec();
    Buffer buffer = Buffer.buffer("before");
    codec.encodeToWire(buffer, message);
    buffer.appendString("after");
    return codec.decodeFromWire("before".length(), buffer);
  }
}
