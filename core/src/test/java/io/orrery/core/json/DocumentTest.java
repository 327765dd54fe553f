package io.orrery.core.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DocumentTest {
  /** E8: each of them is JSON and no YAML 1.1. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"a\": \"\\/b\"}",
        "{\"a\": \"\u007f\"}",
        "{\"a\":\"b\",\t\"c\":1}",
        "\uFEFF{\"a\": [1, \"\\/\"]}",
        "\n\n[\"\\ud83d\\ude00\", \"\\/\"]\n",
      })
  void whatIsJsonIsReadAsJson(String text) {
    assertThat(Document.read(text).root()).isEqualTo(Json.parse(text.replace("\uFEFF", "")));
  }

  /** E8: YAML reads no key of more than 1,024 characters. */
  @Test
  void aKeyOfJsonMayBeLong() {
    String key = "k".repeat(5_000);

    assertThat(Document.read("{\"" + key + "\": 1}").root().path(key).intValue()).isEqualTo(1);
  }

  @Test
  void jsonAndYamlOfOneTextAreTheSame() {
    String text =
        "{\"i\": 1, \"l\": 12345678901, \"b\": 99999999999999999999, \"d\": 1.5, \"e\": 1e-3,"
            + " \"t\": [true, false, null, \"x\", {}], \"s\": \"2026-01-31\"}";
    JsonNode json = Document.read(text).root();

    assertThat(json)
        .isEqualTo(Yaml.read(text, Yaml.Dialect.PYYAML).root())
        .isEqualTo(Json.parse(text));
  }

  @Test
  void jsonKnowsTheLineOfEverything() {
    Document document =
        Document.read("\n{\"a\": 1,\n \"b\": [\"x\",\n  {\"c\":\n 2, \"d/e\": 3}]\n}");

    assertThat(document.lines())
        .containsEntry("", 2)
        .containsEntry("/a", 2)
        .containsEntry("/b", 3)
        .containsEntry("/b/0", 3)
        .containsEntry("/b/1", 4)
        .containsEntry("/b/1/c", 4)
        .containsEntry("/b/1/d~1e", 5);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{a: 1, b: [x]} | {\"a\":1,\"b\":[\"x\"]}",
        "{\"a\": 017, \"b\": yes} | {\"a\":15,\"b\":true}",
        "[1, 2,] # few | [1,2]",
        "{} | {}",
      })
  void whatIsNoJsonIsReadAsYaml(String text, String meaning) {
    assertThat(Document.read(text).root()).isEqualTo(Json.parse(meaning));
  }

  /** E8: who writes JSON is told what is wrong with the JSON, who writes YAML with the YAML. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"a\": 1, \"b\": \"x | not JSON",
        "{\"a\": 1 \"b\": 2} | not JSON",
        "{a: [1} | not YAML",
        "a: [1 | not YAML",
      })
  void theFaultIsThatOfTheLanguageThatWasMeant(String text, String words) {
    ProblemException refused =
        catchThrowableOfType(ProblemException.class, () -> Document.read(text));

    assertThat(((Problem.Refused) refused.problem()).findings())
        .singleElement()
        .satisfies(finding -> assertThat(finding.message()).startsWith(words))
        .extracting(Finding::line)
        .isEqualTo(1);
  }
}
