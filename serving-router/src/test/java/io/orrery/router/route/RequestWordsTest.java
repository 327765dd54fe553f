package io.orrery.router.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestWordsTest {
  /** A request whose header and path are the same. */
  private record Said(@Nullable String text) implements RequestFacts {
    @Override
    public String path() {
      return text == null ? "/" : text;
    }

    @Override
    public @Nullable String header(String name) {
      return name.equals("x-tokens") ? text : null;
    }

    @Override
    public @Nullable String cookie(String name) {
      return null;
    }

    @Override
    public ClientAddress client() {
      throw new UnsupportedOperationException();
    }
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "null",
      value = {
        "512, 512",
        "0, 0",
        "007, 7",
        "1000000, 1000000",
        "1000001, 1000000",
        "99999999999999999999999999, 1000000",
        "null, 0",
        "'', 0",
        "-5, 0",
        "1.5, 0",
        "'5, 6', 0",
        "५, 0"
      })
  void aWholeNumberIsTheCostAndAllElseIsNone(@Nullable String said, int cost) {
    assertThat(new RequestCost("X-Tokens").of(new Said(said))).isEqualTo(cost);
  }

  @ParameterizedTest
  @CsvSource({
    "/v1/chat/9/x, 1, /v1",
    "/v1/chat/9/x, 2, /v1/chat",
    "/v1/chat/9/x, 4, /v1/chat/9/x",
    "/v1/chat/9/x, 9, /v1/chat/9/x",
    "/, 1, /",
    "/a/, 1, /a",
    "//a, 1, /"
  })
  void theKeyOfAPathIsItsBeginning(String path, int parts, String key) {
    assertThat(new RequestKey.PathPrefix(parts).of(new Said(path))).isEqualTo(key);
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "null",
      value = {"batch, 50", "normal, 80", "urgent, 95", "null, 95", "Batch, 95", "tiny, 1"})
  void aClassMayFillItsPart(@Nullable String said, int most) {
    Priorities priorities =
        new Priorities("X-Tokens", Map.of("batch", 50.0, "normal", 80.0, "tiny", 0.1), 95);

    assertThat(priorities.most(new Said(said), 100)).isEqualTo(most);
  }
}
