package io.orrery.gateway.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.gateway.EdgeServer;
import io.orrery.gateway.Samples;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TrialTokensTest {
  private final TrialTokens tokens = new TrialTokens(EdgeServer.SECRET);

  @Test
  void aTokenOpensTheAttemptThatItWasMadeFor() {
    assertThat(tokens.open(tokens.of(Samples.ATTEMPT))).hasValue(Samples.ATTEMPT);
  }

  @Test
  void theSameServerMakesTheSameTokenAfterARestart() {
    assertThat(new TrialTokens(EdgeServer.SECRET).of(Samples.ATTEMPT))
        .isEqualTo(tokens.of(Samples.ATTEMPT))
        .startsWith("digits01.abcde.1.")
        .matches("[A-Za-z0-9_.-]+");
  }

  @Test
  void noCharacterOfATokenMayDiffer() {
    String token = tokens.of(Samples.ATTEMPT);
    for (int at = 0; at < token.length(); at++) {
      char other = token.charAt(at) == 'A' ? 'B' : 'A';
      assertThat(tokens.open(token.substring(0, at) + other + token.substring(at + 1))).isEmpty();
    }
  }

  @Test
  void anotherServersTokenOpensNothing() {
    TrialTokens other =
        new TrialTokens("another secret".repeat(3).getBytes(StandardCharsets.UTF_8));

    assertThat(tokens.open(other.of(Samples.ATTEMPT))).isEmpty();
  }

  @Test
  void anAttemptHasOneSpellingOnly() {
    String token = tokens.of(Samples.ATTEMPT);

    assertThat(tokens.open(token.replace(".1.", ".01."))).isEmpty();
    assertThat(tokens.open(token.replace(".1.", ".2."))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "...", "a.b.1.", "a.b.0.c", "a.b.x.c", "a/b.c.1.d", "a.b.1.c.d"})
  void whatIsNoTokenOpensNothing(String text) {
    assertThat(tokens.open(text)).isEmpty();
  }

  @Test
  void aSecretThatCouldBeGuessedIsRefused() {
    assertThatThrownBy(() -> new TrialTokens(new byte[8]))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
