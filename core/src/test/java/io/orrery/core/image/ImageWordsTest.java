package io.orrery.core.image;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.digest.Sha256;
import io.orrery.core.json.Json;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ImageWordsTest {
  private static final String DIGEST = "sha256:" + Sha256.hex("one");
  private static final ImageReference TOOL =
      ImageReference.parse("hub.example.com/vision/tool@" + DIGEST).orElseThrow();
  private static final ImageWords WORDS = new ImageWords(List.of(TOOL));

  /** Whether a text names the tool, which has the tag 1 or is the latest. */
  private static boolean names(String text, String... tags) {
    Set<String> words = WORDS.in(text);
    boolean named = !ImageWords.naming(TOOL, List.of(tags), words::contains).isEmpty();
    // A search of the database reads only texts with one of the parts.
    assertThat(!named || WORDS.parts().stream().anyMatch(text::contains)).as(text).isTrue();
    return named;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hub.example.com/vision/tool:1",
        "HUB.example.com:443/vision/tool:1",
        "mirror.example.com/vision/tool:1",
        "vision/tool:1",
        "{\"image\": \"hub.example.com/vision/tool:1\", \"b\": 2}",
        "FROM hub.example.com/vision/tool:1 AS base\nRUN x",
        "FROM\\thub.example.com/vision/tool:1\\nRUN x",
        "FROM x\\nvision/tool:1",
        "It is hub.example.com/vision/tool:1.",
        "hub.example.com/vision/tool:1@sha256:abc",
        "hub.example.com/vision/tool:{{version}}",
        "hub.example.com/vision/tool:${TAG}",
        "hub.example.com/vision/tool:1-{{variant}}",
        "hub.example.com/vision/tool$TAG",
      })
  void aTextThatNamesItsTagOrMayDoSoNamesIt(String text) {
    assertThat(names(text, "1")).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hub.example.com/vision/tool:2",
        "hub.example.com/vision/tool:10",
        "hub.example.com/vision/tool:1.2",
        "hub.example.com/vision/tool",
        "hub.example.com/vision/tools:1",
        "hub.example.com/vision/tool-gpu:1",
        "hub.example.com/vision/tool.gpu:1",
        "hub.example.com/vision/tool/gpu:1",
        "hub.example.com/vision:1",
        "",
      })
  void aTextThatNamesAnotherImageDoesNot(String text) {
    assertThat(names(text, "1")).isFalse();
  }

  @Test
  void aTextWithoutATagNamesTheLatest() {
    assertThat(names("\"vision/tool\"", "latest")).isTrue();
    assertThat(names("vision/tool is new", "1", "latest")).isTrue();
    assertThat(names("vision/tool@sha256:abc", "latest")).isFalse();
  }

  @Test
  void aTextWithItsDigestNamesItWhateverItsTagsAre() {
    assertThat(names("other/name@" + DIGEST)).isTrue();
    assertThat(names("{\"digest\":\"" + DIGEST + "\"}", "1")).isTrue();
    assertThat(names("vision/tool@sha256:" + Sha256.hex("two"), "1")).isFalse();
  }

  @Test
  void imagesOfDockerNeedNeitherHostNorLibrary() {
    ImageReference image = ImageReference.parse("python@" + DIGEST).orElseThrow();
    ImageWords words = new ImageWords(List.of(image));

    for (String text :
        List.of("python:3.13", "docker.io/library/python:3.13", "index.docker.io/python:3.13")) {
      Set<String> found = words.in("{\"image\": \"" + text + "\"}");
      assertThat(ImageWords.naming(image, List.of("3.13"), found::contains)).as(text).isNotEmpty();
    }
  }

  /** A value that a document names is found in the text that is stored, wherever it stands. */
  @Test
  void everyNameInADocumentIsFoundInItsStoredText() {
    for (int seed = 0; seed < 2_000; seed++) {
      Random random = new Random(seed);
      String name = name(random);
      String value = random.nextBoolean() ? name : around(random) + name + after(random);
      String text = Json.write(List.of("x", Map.of("key", value)));

      String tag = ImageReference.parse(name).orElseThrow().tag();
      assertThat(names(text, tag == null ? "other" : tag)).as("seed %d: %s", seed, text).isTrue();
    }
  }

  private static String name(Random random) {
    String host = List.of("hub.example.com/", "localhost:5000/", "").get(random.nextInt(3));
    return host
        + "vision/tool"
        + List.of(":1", ":v1.2_3-x", "", "@" + DIGEST).get(random.nextInt(4));
  }

  private static String around(Random random) {
    return List.of("FROM ", "a=", "\n", "\t", "\"", "'", "(", "é", "--image=")
        .get(random.nextInt(9));
  }

  private static String after(Random random) {
    return List.of("\n", " ", "\"", "'", ",", ")", ";", "", "\\").get(random.nextInt(9));
  }
}
