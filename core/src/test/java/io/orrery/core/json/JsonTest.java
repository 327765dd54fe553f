package io.orrery.core.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
  @Test
  void namesOfOthersAreNotKept() {
    String text = "{\"k:{uid}\": 1}";

    assertThat(Json.parse(text).fieldNames().next())
        .isEqualTo("k:{uid}")
        .isNotSameAs(Json.parse(text).fieldNames().next());
  }

  /** E7: readers differ in which of the values they take. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"a\": 1, \"a\": 2} | /a | 1",
        "{\"a\": 1, \"a\": 1} | /a | 1",
        "[{}, {\"b\": {\"c/d\": null, \"c/d\": []}}] | /1/b/c~1d | 1",
        "{\"a\": 1, \"\\u0061\": 2} | /a | 1",
      })
  void aKeyThatAnObjectHasTwiceIsRefused(String text, String pointer, int line) {
    assertThat(refusal(text))
        .extracting(Finding::pointer, Finding::message, Finding::line)
        .containsExactly(tuple(pointer, "this key is here twice", line));
  }

  /** E7: all of them at once. */
  @Test
  void everyKeyThatIsThereTwiceIsSaid() {
    assertThat(refusal("{\n\"a\": 1,\n\"b\": {\"c\": 1,\n\"c\": 2},\n\"a\": 3}"))
        .extracting(Finding::pointer, Finding::line)
        .containsExactly(tuple("/b/c", 4), tuple("/a", 5));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "{", "[1", "{\"a\": }", "{} {}", "tru", "{\"a\" 1}", "\u0000"})
  void whatIsNoJsonIsRefusedWithoutTheNamesOfOptions(String text) {
    assertThat(refusal(text))
        .singleElement()
        .extracting(Finding::message)
        .asString()
        .doesNotContain("Feature", "StreamRead", "REDACTED", "com.fasterxml");
  }

  @Test
  void whatIsTooMuchIsRefused() {
    assertThat(refusal("[".repeat(1_000))).hasSize(1);
    assertThat(refusal("{\"" + "k".repeat(60_000) + "\": 1}").getFirst().message())
        .contains("exceeds the maximum allowed (50000)")
        .doesNotContain("StreamRead");
  }

  private static List<Finding> refusal(String text) {
    ProblemException refused = catchThrowableOfType(ProblemException.class, () -> Json.parse(text));
    return ((Problem.Refused) refused.problem()).findings();
  }

  @Test
  void threadsThatShareBuffersReadAndWriteTheirOwn() throws Exception {
    List<Callable<Void>> works = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      String given = Integer.toString(i).repeat(1 + i % 50);
      works.add(() -> {
        String text = Json.write(Map.of("given", given));
        Thread.yield();
        assertThat(Json.parse(text).path("given").textValue()).isEqualTo(given);
        assertThat(Json.read(text, JsonNode.class)).isEqualTo(Json.parse(text));
        return null;
      });
    }

    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<Void> work : threads.invokeAll(works)) {
        assertThat(work.get()).isNull();
      }
    }
  }
}
