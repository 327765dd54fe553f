package io.orrery.core.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PercentTest {
  @Test
  void allButUnreservedCharactersAreEncoded() {
    assertThat(Percent.encoded("a b*c~d+é/?-._Z9")).isEqualTo("a%20b%2Ac~d%2B%C3%A9%2F%3F-._Z9");
  }
}
