package io.orrery.router.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what must not leave over HTTP/1.1 that may come in over HTTP/2. */
class SmugglingCheckTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/x HTTP/1.1\r\nX: y",
        "/x\r\n\r\nGET /smuggled",
        "/a b",
        "/\t",
        "/\u0000",
        "/\u007f",
        "",
        "GET /"
      })
  void anAddressIsOneWord(String address) {
    assertThat(SmugglingCheck.visible(address)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\r\nTransfer-Encoding: chunked", "a\nb", "a\rb", "a\u0000"})
  void aHeaderIsOneLine(String value) {
    assertThat(SmugglingCheck.oneLine(value)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/v2/models?x=%20&y=%C3%A4", "*", "http://a/b"})
  void whatIsSoundPasses(String address) {
    assertThat(SmugglingCheck.visible(address)).isTrue();
    assertThat(SmugglingCheck.oneLine("text/plain; charset=utf-8 \t")).isTrue();
  }

  /** E4: its bytes would be decoded and encoded again on the way. */
  @Test
  void anAddressBeyondAsciiIsRefused() {
    assertThat(SmugglingCheck.visible("/v2/models?y=\u00e4")).isFalse();
  }
}
