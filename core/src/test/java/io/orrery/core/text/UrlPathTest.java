package io.orrery.core.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UrlPathTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "..",
        "/a/..",
        "/a/../b",
        "/a/./b",
        "/a/%2e%2E/b",
        "/a/.%2e/b",
        "/a/%2e",
        "/a/..%2Fb",
        "/a%2f..%2fb",
        "/a\\..\\b",
        "/a%5C..%5cb"
      })
  void partsOfDotsAreFoundHoweverTheyAreSpelled(String path) {
    assertThat(UrlPath.hasDotSegments(path)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "/", "/a", "/a..b", "/...", "/a/.hidden", "/a./b", "/a//b", "/%252e/"})
  void namesMayHaveDots(String path) {
    assertThat(UrlPath.hasDotSegments(path)).isFalse();
  }
}
