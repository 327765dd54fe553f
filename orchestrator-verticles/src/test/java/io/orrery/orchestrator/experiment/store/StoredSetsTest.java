package io.orrery.orchestrator.experiment.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.json.Json;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.trial.ParameterSet;
import io.orrery.core.trial.ParameterSource;
import io.orrery.core.trial.Parameters;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoredSetsTest {
  @Test
  void whateverIsWrittenIsReadBack() {
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 2_000; i++) {
      List<ParameterSet> sets =
          IntStream.range(0, random.nextInt(1, 4)).mapToObj(index -> set(random, index)).toList();
      assertThat(StoredSets.read(Json.write(sets))).isEqualTo(sets);
    }
  }

  @Test
  void aFieldOfALaterVersionIsPassedOver() {
    String text =
        Json.write(List.of(new ParameterSet(0, "1", ParameterSource.ALGORITHM, Parameters.EMPTY)));
    assertThat(StoredSets.read(text.replace("{\"index\"", "{\"new\":{\"a\":[1]},\"index\"")))
        .isEqualTo(StoredSets.read(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "null", "[{\"index\":", "[{\"index\":0}]", "[3]", "{}"})
  void whatWasNotWrittenByUsIsRefused(String text) {
    assertThatThrownBy(() -> StoredSets.read(text))
        .isInstanceOfAny(UncheckedIOException.class, IllegalStateException.class);
  }

  private static ParameterSet set(SplittableRandom random, int index) {
    ParameterSource[] sources = ParameterSource.values();
    return new ParameterSet(
        index,
        random.nextInt(3) == 0 ? null : text(random),
        sources[random.nextInt(sources.length)],
        new Parameters(object(random, 3)),
        switch (random.nextInt(4)) {
          case 0 -> new MetricValue(random.nextDouble(), null);
          case 1 -> new MetricValue(Double.NaN, "{\"loss\":\"NaN\"}");
          default -> null;
        });
  }

  private static Map<String, @Nullable Object> object(SplittableRandom random, int depth) {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    for (int i = random.nextInt(5); i > 0; i--) {
      values.put(text(random), value(random, depth - 1));
    }
    return values;
  }

  private static @Nullable Object value(SplittableRandom random, int depth) {
    return switch (random.nextInt(depth > 0 ? 9 : 7)) {
      case 0 -> random.nextInt();
      case 1 -> random.nextLong();
      case 2 -> random.nextDouble(-1e9, 1e9);
      case 3 -> -0.0;
      case 4 -> random.nextBoolean();
      case 5 -> null;
      case 6 -> text(random);
      case 7 -> object(random, depth);
      default -> {
        List<@Nullable Object> elements = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
          elements.add(value(random, depth - 1));
        }
        yield elements;
      }
    };
  }

  private static String text(SplittableRandom random) {
    List<String> pieces =
        Arrays.asList("lr", "\"", "\\", "é", "😀", "\u0001", " ", "_name", "NaN", "7");
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(6); i > 0; i--) {
      text.append(pieces.get(random.nextInt(pieces.size())));
    }
    return text.toString();
  }
}
