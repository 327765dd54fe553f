package io.orrery.core.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostNameTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "a/b", "a b", "a,b", "u@a", "a?b", "a#b", "a\\b", "a\"b", "a;b", "a=b", "a\u007f", "\u00e4"
      })
  void whatSeparatesSomethingElsewhereIsNoPartOfAHost(String text) {
    assertThat(HostName.is(text)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "[::1]:8000", "a_b-c.example.com:80"})
  void aHostMayHaveAPortOrBeAnAddress(String text) {
    assertThat(HostName.is(text)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(bytes = {-1, -128, (byte) 0xe4})
  void aByteBeyondAsciiIsNone(byte part) {
    assertThat(HostName.mayHold(part)).isFalse();
  }
}
