package io.orrery.core.workload;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The names of downloads, by which one is made once. */
class ModelSourceTest {
  private static final String DIGEST = "ab".repeat(32);

  @Test
  void aKnownDigestIsDownloadedOnceWhereverItComesFrom() {
    ModelSource one = new ModelSource("https://a.example.com/x/digits.zip?signature=1", DIGEST);
    ModelSource same = new ModelSource("https://b.example.com/digits.zip", DIGEST);

    assertThat(one.key("v1")).isEqualTo(same.key("v2"));
    assertThat(one.key("v1"))
        .isNotEqualTo(
            new ModelSource("https://b.example.com/digits.zip", "cd".repeat(32)).key("v1"))
        .as("an archive is unpacked")
        .isNotEqualTo(new ModelSource("https://b.example.com/digits.bin", DIGEST).key("v1"));
  }

  @Test
  void anotherVersionIsDownloadedAgainWhenNoDigestIsKnown() {
    ModelSource source = new ModelSource("https://a.example.com/digits.zip", null);

    assertThat(source.key("v1")).isEqualTo(source.key("v1")).isNotEqualTo(source.key("v2"));
  }

  @Test
  void aPathWithoutTheNameOfAFileGivesOne() {
    assertThat(new ModelSource("https://a.example.com", null).fileName()).isEqualTo("model");
    assertThat(new ModelSource("https://a.example.com/x/%2e%2e", null).fileName())
        .isEqualTo("model");
    assertThat(new ModelSource("https://a.example.com/m.onnx", null).fileName())
        .isEqualTo("m.onnx");
  }
}
