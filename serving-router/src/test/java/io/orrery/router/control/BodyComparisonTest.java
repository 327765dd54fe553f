package io.orrery.router.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.bus.contract.RouteReports.BodyDifference;
import io.orrery.core.bus.contract.RouteReports.JsonDifference;
import io.orrery.router.telemetry.Differences.Answer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Finds the place where two bodies differ, in bytes and in JSON. */
class BodyComparisonTest {
  private static Answer answer(String body, int more) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    return new Answer(200, 0, bytes.length + (long) more, bytes);
  }

  private static @Nullable BodyDifference compare(String told, String said) {
    return BodyComparison.of(answer(told, 0), answer(said, 0));
  }

  @Test
  void jsonIsComparedByItsPlaces() {
    BodyDifference found =
        compare(
            "{\"class\": 3, \"scores\": [0.1, 0.9], \"model\": \"a\"}",
            "{\"class\": 5, \"scores\": [0.1, 0.8, 0.1], \"model\": \"a\", \"x\": null}");

    assertThat(Objects.requireNonNull(found).places())
        .containsExactly(
            new JsonDifference("/class", "3", "5"),
            new JsonDifference("/scores/1", "0.9", "0.8"),
            new JsonDifference("/scores/2", null, "0.1"),
            new JsonDifference("/x", null, "null"));
    assertThat(found.at()).isEqualTo(10);
    assertThat(found.text()).startsWith("{\"class\": 3");
  }

  @Test
  void textIsShownAroundTheFirstByteWithoutControlCharacters() {
    BodyDifference found = compare("a".repeat(100) + "b\u0007", "a".repeat(100) + "c");

    assertThat(found)
        .isEqualTo(new BodyDifference(100, "a".repeat(20) + "b.", "a".repeat(20) + "c", List.of()));
  }

  @Test
  void whatIsNotWholeIsNoJsonAndWhatIsTheSameDoesNotDiffer() {
    BodyDifference cut = BodyComparison.of(answer("{\"a\": 1}", 9), answer("{\"a\": 2}", 0));

    assertThat(Objects.requireNonNull(cut).places()).isEmpty();
    assertThat(compare("same", "same")).isNull();
    assertThat(BodyComparison.of(answer("a", 0), new Answer(200, 0, -1, null))).isNull();
    assertThat(Objects.requireNonNull(compare("", "x")).shadowText()).isEqualTo("x");
  }

  @Test
  void manyPlacesAreAFewAndDeepJsonIsComparedToItsDepth() {
    String one = "[".repeat(100) + "1" + "]".repeat(100);
    String other = "[".repeat(100) + "2" + "]".repeat(100);

    assertThat(Objects.requireNonNull(compare("[1,2,3,4,5,6,7]", "[0,0,0,0,0,0,0]")).places())
        .hasSize(5);
    assertThat(Objects.requireNonNull(compare(one, other)).places())
        .singleElement()
        .satisfies(place -> assertThat(place.value()).hasSizeLessThanOrEqualTo(80));
  }
}
