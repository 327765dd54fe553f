package io.orrery.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.json.Json;
import io.orrery.core.problem.ProblemException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonScannerTest {
  @Test
  void whatIsWantedIsFoundBehindWhatIsNot() {
    JsonScanner skim =
        new JsonScanner(
            """
             {"a" : {"x": ["}", "\\\\", "\\"]", {"y": -1.5e3}], "z": {}} , "n":null,"t":true,
              "b": "caf\\u00e9\\n", "c": [ ], "d": {"k": "v", "l": 1, "m\\"": "w"}}
            """);

    assertThat(skim.enter()).isTrue();
    assertThat(skim.key()).isEqualTo("a");
    skim.skip();
    assertThat(skim.key()).isEqualTo("n");
    assertThat(skim.text()).isNull();
    assertThat(skim.key()).isEqualTo("t");
    skim.skip();
    assertThat(skim.key()).isEqualTo("b");
    assertThat(skim.text()).isEqualTo("caf\u00e9\n");
    assertThat(skim.key()).isEqualTo("c");
    assertThat(skim.enter()).isFalse();
    assertThat(skim.tree()).isEqualTo(Json.parse("[]"));
    assertThat(skim.key()).isEqualTo("d");
    assertThat(skim.texts()).isEqualTo(Map.of("k", "v", "m\"", "w"));
    assertThat(skim.key()).isNull();
  }

  @Test
  void aTreeIsReadWhole() {
    JsonScanner skim =
        new JsonScanner("{\"status\": {\"a\": [1, {\"b\": \"]\"}]}, \"kind\": \"Pod\"}");

    assertThat(skim.enter()).isTrue();
    assertThat(skim.key()).isEqualTo("status");
    assertThat(skim.tree()).isEqualTo(Json.parse("{\"a\": [1, {\"b\": \"]\"}]}"));
    assertThat(skim.key()).isEqualTo("kind");
    assertThat(skim.text()).isEqualTo("Pod");
    assertThat(skim.key()).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "7",
        "-1",
        "143",
        "999999999",
        "1000000000",
        "4294967296",
        "123456789012345678901234567890",
        "1.5e3",
        "true",
        "false",
        "null",
        "\"caf\\u00e9 \\\"x\\\" \\\\\"",
        "[]",
        " [ 1 , \"a\" , { } , null , [ ] ] ",
        "{\"a\" : { \"b\" : [ true ] } , \"\" : \"\" , \"b\" : 2 }"
      })
  void aTreeIsTheOneThatAParserReads(String text) {
    JsonScanner skim = new JsonScanner("[" + text + "]");

    assertThat(skim.enterList()).isTrue();
    assertThat(skim.next()).isTrue();
    assertThat(skim.tree()).isEqualTo(Json.parse(text));
    assertThat(skim.next()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"01", "1x", "truth", "+", "[1", "{\"a\": }"})
  void aTreeOfWhatIsNoJsonIsRefused(String text) {
    assertThatThrownBy(() -> new JsonScanner(text).tree())
        .isInstanceOfAny(JsonScanner.MalformedException.class, ProblemException.class);
  }

  @Test
  void aTreeIsAsDeepAsAnyInputMayBe() {
    String deep = "[".repeat(Json.MAX_DEPTH) + "]".repeat(Json.MAX_DEPTH);
    JsonScanner deeper = new JsonScanner("[".repeat(100_000) + "]".repeat(100_000));

    assertThat(new JsonScanner(deep).tree()).isEqualTo(Json.parse(deep));
    assertThatThrownBy(deeper::tree).isInstanceOf(JsonScanner.MalformedException.class);
  }

  @Test
  void aKeyOfATreeMayBeLeftOut() {
    JsonScanner skim =
        new JsonScanner("{\"a\": {\"name\": \"x\", \"f\": [{\"b\": 1}], \"c\": {}}, \"d\": 1}");

    assertThat(skim.enter()).isTrue();
    assertThat(skim.key()).isEqualTo("a");
    assertThat(skim.treeWithout("f")).isEqualTo(Json.parse("{\"name\": \"x\", \"c\": {}}"));
    assertThat(skim.key()).isEqualTo("d");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 6, 7, 8, 9, 15, 16, 17, 40})
  void aTextEndsWhereItEndsWhateverItsLength(int length) {
    String plain = "\u00e9!#[]{}:".repeat(5).substring(0, length);
    for (String end : new String[] {"", "\\\\", "\\\"", "\\\\\\\"", "\\n"}) {
      String text = "\"" + plain + end + plain + "\"";
      JsonScanner skim =
          new JsonScanner("{\"a\":" + text + ",\"b\":{\"c\":" + text + "},\"d\":" + text + "}");

      assertThat(skim.enter()).isTrue();
      assertThat(skim.key()).isEqualTo("a");
      assertThat(skim.text()).isEqualTo(Json.parse(text).textValue());
      assertThat(skim.key()).isEqualTo("b");
      skim.skip();
      assertThat(skim.key()).isEqualTo("d");
      skim.skip();
      assertThat(skim.key()).isNull();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "{\"a\"",
        "{\"a\":",
        "{\"a\": \"b",
        "{\"a\": \"b\\\"}",
        "{\"a\": [",
        "{\"a\": {\"b\": 1}",
        "{\"a\" 1}",
        "{a: 1}",
        "{\"a\": 1 ; \"b\": 2}",
        "{\"a\": ]}"
      })
  void whatIsCutOffOrNoJsonIsToldAndEnds(String text) {
    JsonScanner skim = new JsonScanner(text);

    assertThatThrownBy(
            () -> {
              skim.enter();
              while (skim.key() != null) {
                skim.skip();
              }
            })
        .isInstanceOf(JsonScanner.MalformedException.class);
  }
}
