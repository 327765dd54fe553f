package io.orrery.studio.password;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PasswordRulesTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "short",
        "Password1",
        "12345678",
        "qwertyuiop",
        "aaaaaaaaaaaa",
        "abababababab",
        "abcdefghijk",
        "98765432",
        "ann-smith",
        "annsmith99",
        "Orrery2026!",
      })
  void aPasswordThatIsTriedFirstIsRefusedWithTheReason(String password) {
    assertThat(PasswordRules.fault(password, user(password))).isPresent();
  }

  private static String user(String password) {
    return password.startsWith("annsmith") ? "annsmith" : "ann-smith";
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"three red boats", "aB3!xyzw", "пароль-из-слов", "correct horse", "日本語のパスワード"})
  void anyOtherOfEightCharactersIsGoodWhateverIsInIt(String password) {
    assertThat(PasswordRules.fault(password, "ann")).isEmpty();
  }

  @Test
  void aPasswordHasAnEnd() {
    assertThat(PasswordRules.fault("xy1".repeat(100), "ann")).get().asString().contains("256");
  }

  @Test
  void charactersAreCountedAsAReaderCountsThem() {
    // Seven characters, each of two UTF-16 units.
    assertThat(PasswordRules.fault("🦉🦊🐻🐼🦁🐯🐨", "ann")).isPresent();
  }
}
