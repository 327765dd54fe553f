package io.orrery.core.space;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.space.Dimension.Choice;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A test of each limit by itself (F8): the sentence has the place and the number. */
class SpaceLimitsTest {
  private static SpaceReader.Reading read(String json) {
    return SpaceReader.read(Json.parse(json), "/searchSpace");
  }

  private static SearchSpace space(String json) {
    SpaceReader.Reading reading = read(json);
    assertThat(reading.findings()).isEmpty();
    return reading.space();
  }

  @Test
  void aSpaceBeyondALimitIsRefusedWithOneSentence() {
    assertThat(read(parameters(10_001, "[0, 1]")).findings())
        .singleElement()
        .extracting(Finding::pointer, Finding::message)
        .containsExactly(
            "/searchSpace",
            "a search space has at most 10,000 parameters, those of nested choices counted; with"
                + " these it has more");
    assertThat(read(choice(100_001)).findings())
        .singleElement()
        .extracting(Finding::pointer, Finding::message)
        .containsExactly(
            "/searchSpace/p0/_value", "a choice has at most 100,000 options, and this has 100,001");
    assertThat(
            read(IntStream.range(0, 6)
                    .mapToObj(SpaceLimitsTest::named)
                    .collect(Collectors.joining(",", "{", "}")))
                .findings())
        .singleElement()
        .extracting(Finding::pointer)
        .isEqualTo("/searchSpace/p5/_value");
    assertThat(read(nested(17)).findings())
        .singleElement()
        .extracting(Finding::message)
        .asString()
        .startsWith("choices are nested more than 16 levels deep here");
    assertThat(
            read("{\"" + "x".repeat(1_001) + "\": {\"_type\": \"uniform\", \"_value\": [0, 1]}}")
                .findings())
        .singleElement()
        .extracting(Finding::message)
        .isEqualTo(
            "the name of a parameter here has more than the 1,000 characters that are allowed");
  }

  @Test
  void aSpaceAtTheLimitsIsTaken() { // F8
    assertThat(space(parameters(10_000, "[0, 1]")).dimensions()).hasSize(10_000);
    assertThat(((Choice) space(choice(100_000)).dimensions().get("p0")).options()).hasSize(100_000);
    assertThat(space(nested(16)).dimensions()).hasSize(1);
    assertThat(SearchSpace.of(Json.parse(nested(40))).dimensions())
        .as("what an earlier version has stored is read")
        .hasSize(1);
  }

  @Test
  void ofManyFaultsSomeAreToldAndTheOthersCounted() { // F8
    List<Finding> findings = read(parameters(1_000, "[1, 0]")).findings();
    assertThat(findings).hasSize(201);
    assertThat(findings.getLast().message()).isEqualTo("800 more are wrong in the same space");
  }

  private static String parameters(int count, String bounds) {
    return IntStream.range(0, count)
        .mapToObj(i -> "\"p%d\": {\"_type\": \"uniform\", \"_value\": %s}".formatted(i, bounds))
        .collect(Collectors.joining(",", "{", "}"));
  }

  private static String choice(int options) {
    return "{" + named(0, options) + "}";
  }

  private static String named(int i) {
    return named(i, 100_000);
  }

  private static String named(int i, int options) {
    return IntStream.range(0, options)
        .mapToObj(Integer::toString)
        .collect(
            Collectors.joining(
                ",", "\"p%d\": {\"_type\": \"choice\", \"_value\": [".formatted(i), "]}"));
  }

  private static String nested(int levels) {
    String inside = "";
    for (int i = 0; i < levels; i++) {
      inside =
          "\"x\": {\"_type\": \"choice\", \"_value\": [{\"_name\": \"a\"%s}]}"
              .formatted(inside.isEmpty() ? "" : ", " + inside);
    }
    return "{" + inside + "}";
  }
}
