package io.orrery.core.image;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ImageReferenceTest {
  private static final String DIGEST =
      "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

  private static ImageReference image(String text) {
    return ImageReference.parse(text).orElseThrow();
  }

  @ParameterizedTest
  @CsvSource({
    "ubuntu, docker.io/library/ubuntu:latest",
    "team/tool:2, docker.io/team/tool:2",
    "localhost/tool, localhost/tool:latest",
    "127.0.0.1:5000/a/b/c:1, 127.0.0.1:5000/a/b/c:1",
    "hub:5000/tool, hub:5000/tool:latest",
    "Hub.Example.com/vision/tool:V1, hub.example.com/vision/tool:V1",
  })
  void aNameIsMadeWhole(String written, String whole) {
    assertThat(image(written)).hasToString(whole);
  }

  @Test
  void aDigestStaysWithoutATag() {
    assertThat(image("hub.example.com/tool@" + DIGEST))
        .isEqualTo(new ImageReference("hub.example.com", "tool", null, DIGEST));
    assertThat(image("hub.example.com/tool@" + DIGEST).manifest())
        .isEqualTo("https://hub.example.com/v2/tool/manifests/" + DIGEST);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Tool",
        "hub.example.com/",
        "hub.example.com/a//b",
        "hub.example.com/../tool",
        "hub.example.com/tool:",
        "hub.example.com/tool:a b",
        "hub.example.com/tool?x=1",
        "user@hub.example.com/tool",
        "hub.example.com/tool@sha256:12",
      })
  void whatIsNoImageIsNone(String text) {
    assertThat(ImageReference.parse(text)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "hub.example.com, hub.example.com/vision/tool:1, true",
    "hub.example.com/vision, hub.example.com/vision/tool:1, true",
    "hub.example.com/vision/tool, hub.example.com/vision/tool:1, true",
    "hub.example.com/vis, hub.example.com/vision/tool:1, false",
    "hub.example.com, hub.example.com.evil.org/tool, false",
    "example.com, hub.example.com/tool, false",
    "hub.example.com:444, hub.example.com/tool, false",
    "docker.io, ubuntu, true",
    "index.docker.io/library, ubuntu, true",
  })
  void anAccountIsForWholePartsOfNames(String server, String image, boolean has) {
    assertThat(RegistryServer.parse(server).orElseThrow().has(image(image))).isEqualTo(has);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "hub",
        "https://hub.example.com",
        "user@hub.example.com",
        "hub.example.com/Vision",
        "hub.example.com?x",
        "localhost:123456",
      })
  void whatIsNoServerIsNone(String text) {
    assertThat(RegistryServer.parse(text)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "localhost:5000, http://localhost:5000",
    "127.1.2.3:5000, http://127.1.2.3:5000",
    "[::1]:5000, http://[::1]:5000",
    "hub.example.com, https://hub.example.com",
    "10.0.0.1:5000, https://10.0.0.1:5000",
    "127.0.0.1.evil.org, https://127.0.0.1.evil.org",
    "localhost.evil.org, https://localhost.evil.org",
    "docker.io, https://registry-1.docker.io",
  })
  void onlyThisMachineIsAskedWithoutTls(String server, String api) {
    assertThat(RegistryServer.parse(server).orElseThrow().api()).isEqualTo(api);
  }
}
