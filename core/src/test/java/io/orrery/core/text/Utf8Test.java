package io.orrery.core.text;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Utf8Test {
  @Test
  void textIsDecodedWithoutItsByteOrderMark() {
    assertThat(Utf8.decode("\uFEFFé你\uD83D\uDE00".getBytes(UTF_8))).isEqualTo("é你\uD83D\uDE00");
    assertThat(Utf8.decode(new byte[0])).isEmpty();
  }

  /** E7: the first byte that is none, and its line. */
  @ParameterizedTest
  @ValueSource(
      strings = {"a\nb: é", "a\né", "\n\u00C0\u0080", "\n\u00ED\u00A0\u0080", "\n\u00E4\u00BD"})
  void whatIsNoUtf8IsRefused(String bytes) {
    assertThatThrownBy(() -> Utf8.decode(bytes.getBytes(ISO_8859_1)))
        .hasMessageContaining("line 2: the text is not UTF-8: byte 0x");
  }
}
