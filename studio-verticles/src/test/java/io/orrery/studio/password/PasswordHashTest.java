package io.orrery.studio.password;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.SecureRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PasswordHashTest {
  private static final String PASSWORD = "three red boats";

  @Test
  void aPasswordFitsItsOwnHashOnly() {
    String phc = PasswordHash.of(PASSWORD, new SecureRandom());

    assertThat(phc).startsWith("$argon2id$v=19$m=19456,t=2,p=1$").doesNotContain(PASSWORD);
    assertThat(PasswordHash.matches(PASSWORD, phc)).isTrue();
    assertThat(PasswordHash.matches(PASSWORD + " ", phc)).isFalse();
  }

  @Test
  void twoHashesOfOnePasswordDiffer() {
    SecureRandom random = new SecureRandom();

    assertThat(PasswordHash.of(PASSWORD, random)).isNotEqualTo(PasswordHash.of(PASSWORD, random));
  }

  /** From the reference implementation's own tests (phc-winner-argon2, test.c). */
  @Test
  void aHashOfTheReferenceImplementationIsUnderstood() {
    String phc =
        "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4";

    assertThat(PasswordHash.matches("password", phc)).isTrue();
    assertThat(PasswordHash.matches("passwore", phc)).isFalse();
  }

  @Test
  void composedAndDecomposedCharactersAreTheSamePassword() {
    String phc = PasswordHash.of("Zo\u00eb und caf\u00e9", new SecureRandom());

    assertThat(PasswordHash.matches("Zoe\u0308 und cafe\u0301", phc)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "three red boats",
        "$argon2i$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR",
        "$argon2id$v=19$m=999999,t=99,p=1$c29tZXNhbHQ$nf65EOgLrQMR",
        "$argon2id$v=19$m=256,t=0,p=1$c29tZXNhbHQ$nf65EOgLrQMR"
      })
  void anythingElseFitsNothing(String stored) {
    assertThat(PasswordHash.matches(PASSWORD, stored)).isFalse();
  }
}
