package io.orrery.core.constraint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FormulaTest {
  private static final Map<String, Object> PARAMETERS =
      Map.of("x", 0.5, "n", 3, "opt", Map.of("_name", "sgd", "lr", 0.1), "act", "relu");

  @ParameterizedTest
  @CsvSource({
    "(x - 0.3) ** 2, 0.04",
    "n / 2 + x, 2",
    "-log(opt.lr), 2.302585",
    "'min(x, n, 0.25)', 0.25",
    "exp(0) - abs(-1), 0",
  })
  void followsFromItsParameters(String text, double value) {
    assertThat(Formula.read(text).of(PARAMETERS).orElseThrow()).isCloseTo(value, within(1e-6));
  }

  @ParameterizedTest
  @ValueSource(strings = {"y + 1", "opt.momentum", "act", "x < 1"})
  void isNothingWhereAParameterIsMissingOrNoNumber(String text) {
    assertThat(Formula.read(text).of(PARAMETERS)).isEmpty();
  }

  @Test
  void saysWhatDoesNotMakeSenseInIt() {
    Map<String, Kind> kinds = Map.of("x", Kind.NUMBER, "act", Kind.TEXT);

    assertThat(Formula.read("x * 2").check(kinds)).isEmpty();
    assertThat(Formula.read("act").check(kinds).toString()).contains("a formula is a number");
    assertThat(Formula.read("x > 1").check(kinds)).hasSize(1);
    assertThat(Formula.read("z").check(kinds).toString()).contains("no parameter 'z'");
  }

  @Test
  void isRefusedWithTheColumnOfWhatIsWrong() {
    assertThatThrownBy(() -> Formula.read("x + ")).hasMessageContaining("column 5");
    assertThatThrownBy(() -> Formula.read("x".repeat(1_001))).hasMessageContaining("1000");
  }
}
