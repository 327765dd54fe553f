package io.orrery.core.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.StreamReader;
import org.yaml.snakeyaml.resolver.Resolver;

class YamlTest {
  private static List<Finding> refusal(String text) {
    ProblemException refused = catchThrowableOfType(ProblemException.class, () -> read(text));
    assertThat(refused).as(text).isNotNull();
    assertThat(refused.problem()).isInstanceOf(Problem.Refused.class);
    return ((Problem.Refused) refused.problem()).findings();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          no            | false
          Yes           | true
          on            | true
          y             | "y"
          'no'          | "no"
          ~             | null
          null          | null
          12            | 12
          0x1F          | 31
          017           | 15
          0b11          | 3
          1_000         | 1000
          1:30          | 90
          99999999999   | 99999999999
          99999999999999999999 | 99999999999999999999
          1.5           | 1.5
          1e-3          | 0.001
          1E5           | 100000.0
          1.0e-3        | 0.001
          "1e-3"        | "1e-3"
          2026-01-31    | "2026-01-31"
          2026-99-99    | "2026-99-99"
          12:30:45.5    | 45045.5
          10m           | "10m"
          """)
  void scalarsMeanWhatTheyMeanInYaml11(String yaml, String json) {
    assertThat(read("value: " + yaml + "\n").root().path("value").toString()).isEqualTo(json);
  }

  @Test
  void jsonIsReadAsIs() {
    String json = "{\"a\":[1,2.5,\"x\",true,null,{\"b\":\"\\u00e9\"}],\"c\":{}}";

    assertThat(read(json).root()).isEqualTo(Json.parse(json));
  }

  @Test
  void anchorsAndMergeKeysAreResolved() {
    Document document =
        read(
            """
            base: &base {a: 1, b: 2}
            copy: *base
            merged:
              <<: *base
              b: 3
            again:
              <<: *base
            """);

    assertThat(document.root().path("copy")).isEqualTo(Json.parse("{\"a\":1,\"b\":2}"));
    assertThat(document.root().path("merged")).isEqualTo(Json.parse("{\"a\":1,\"b\":3}"));
    assertThat(document.root().path("again")).isEqualTo(Json.parse("{\"a\":1,\"b\":2}"));
  }

  @Test
  void everythingKnowsItsLine() {
    Document document =
        read(
            """
            # a comment
            a: 1
            b:
              - x
              - c: 2
                d/e: 3
            """);

    assertThat(document.lines())
        .containsEntry("/a", 2)
        .containsEntry("/b", 3)
        .containsEntry("/b/0", 4)
        .containsEntry("/b/1", 5)
        .containsEntry("/b/1/c", 5)
        .containsEntry("/b/1/d~1e", 6);
    assertThat(document.line("/b/1/d~1e/unknown")).isEqualTo(6);
    assertThat(document.line("/unknown")).isEqualTo(2);
  }

  @Test
  void everyDuplicateKeyIsRefusedWithItsLine() {
    assertThat(refusal("a: 1\nb: {c: 1, c: 2}\na: 3\n"))
        .extracting(Finding::pointer, Finding::line)
        .containsExactlyInAnyOrder(tuple("/a", 3), tuple("/b/c", 2));
    assertThat(refusal("base: &b {a: 1}\nx:\n  <<: *b\n  c: 1\n  c: 2\n"))
        .extracting(Finding::pointer, Finding::line)
        .containsExactly(tuple("/x/c", 5));
  }

  @Test
  void whatDoesNotParseIsRefusedWithItsLine() {
    assertThat(refusal("a: 1\nb: [1, 2\nc: 3\n")).extracting(Finding::line).containsExactly(3);
    assertThat(refusal("a: 1\n\tb: 2\n")).extracting(Finding::line).containsExactly(2);
  }

  @Test
  void anAliasBombIsRefused() {
    StringBuilder bomb = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for (int i = 1; i < 12; i++) {
      String alias = "*a" + (i - 1);
      bomb.append("a%d: &a%d [%s, %s, %s, %s]\n".formatted(i, i, alias, alias, alias, alias));
    }

    assertThat(refusal(bomb.toString())).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a: &a [*a]", "a: &a {b: *a}"})
  void whatContainsItselfIsRefused(String text) {
    assertThat(refusal(text)).hasSize(1);
  }

  @Test
  void deepNestingIsRefused() {
    assertThat(refusal("[".repeat(1_000) + "]".repeat(1_000))).hasSize(1);
    assertThat(refusal("{a: ".repeat(1_000) + "1" + "}".repeat(1_000))).hasSize(1);
    assertThat(read("[".repeat(100) + "]".repeat(100)).root().isArray()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "# nothing", "--- 1\n--- 2", "a: !!java.net.URL [x]", "a: !!javax.script.X y",
        "a: !!int x", "a: !!float y", "? [1]\n: 2", "a: \u0000", "*nowhere",
      })
  void whatIsNoPlainDocumentIsRefused(String text) {
    assertThat(refusal(text)).isNotEmpty();
  }

  private static Document read(String text) {
    return Yaml.read(text, Yaml.Dialect.PYYAML);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "no          | \"no\"",
        "on          | \"on\"",
        "y           | \"y\"",
        "True        | true",
        "false       | false",
        "~           | null",
        "null        | null",
        "017         | \"017\"",
        "0o17        | \"0o17\"",
        "0x1F        | 31",
        "12          | 12",
        "-3          | -3",
        "0           | 0",
        "1_000       | \"1_000\"",
        "1:30        | \"1:30\"",
        "2026-11-01  | \"2026-11-01\"",
        "1.5         | 1.5",
        ".5          | 0.5",
        "1e-3        | 0.001",
        "1.2.3       | \"1.2.3\"",
        "!!str 5     | \"5\"",
      })
  void documentsOfObjectsAreReadByTheCoreSchema(String yaml, String json) {
    assertThat(Document.readCore("value: " + yaml + "\n").root().path("value").toString())
        .isEqualTo(json);
    assertThat(Document.readCore("{value: " + yaml + "}").root().path("value").toString())
        .isEqualTo(json);
  }

  @Test
  void anEmptyValueOfTheCoreSchemaIsNullAndMergesAreMade() {
    assertThat(Document.readCore("a: &x {b: no}\nc: {<<: *x, d: }\n").root().toString())
        .isEqualTo("{\"a\":{\"b\":\"no\"},\"c\":{\"b\":\"no\",\"d\":null}}");
  }

  /** Random documents of all styles, seeds in the message: both ways of reading say the same. */
  @ParameterizedTest
  @EnumSource(Yaml.Dialect.class)
  void theEventsOfADocumentSayWhatItsNodesSay(Yaml.Dialect dialect) {
    for (long seed = 0; seed < 500; seed++) {
      Random random = new Random(seed);
      DumperOptions style = new DumperOptions();
      style.setDefaultFlowStyle(DumperOptions.FlowStyle.values()[random.nextInt(3)]);
      style.setDefaultScalarStyle(DumperOptions.ScalarStyle.values()[random.nextInt(5)]);
      String text = new org.yaml.snakeyaml.Yaml(style).dump(value(random, 5));

      assertThat(Yaml.read(text, dialect))
          .as("seed " + seed)
          .isEqualTo(Yaml.readNodes(text, dialect));
    }
  }

  private static Object value(Random random, int depth) {
    return switch (random.nextInt(depth > 0 ? 9 : 7)) {
      case 0 -> random.nextInt(-1000, 100_000);
      case 1 -> random.nextDouble();
      case 2 -> random.nextBoolean();
      case 3 -> "null";
      case 4 ->
          List.of("no", "1e-3", "017", "1:30", "2026-01-31", "~", "", "<<").get(random.nextInt(8));
      case 5 -> "two\nlines: " + random.nextInt();
      case 6 -> new String(Character.toChars(0x20 + random.nextInt(0x2000)));
      case 7 -> Stream.generate(() -> value(random, depth - 1)).limit(random.nextInt(5)).toList();
      default -> {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = random.nextInt(5); i > 0; i--) {
          map.put(random.nextBoolean() ? "key" + i : "a/b~" + i, value(random, depth - 1));
        }
        yield map;
      }
    };
  }

  /** Through the nodes, 100,000 of them took 530 MB: more than a router has. */
  @Test
  void aPlainDocumentIsReadWithoutItsNodes() {
    List<JsonNode> plain =
        Stream.of("a: 1", "- {b: [c, 'd']}", "a: |\n  text")
            .map(text -> events(text))
            .filter(Objects::nonNull)
            .toList();
    List<JsonNode> others =
        Stream.of("a: &x 1", "a: *x", "a: !!str 1", "<<: {a: 1}", "a: 1\na: 2", "? [a]\n: b", "")
            .map(text -> events(text))
            .filter(Objects::nonNull)
            .toList();

    assertThat(plain).hasSize(3);
    assertThat(others).isEmpty();
  }

  private static @Nullable JsonNode events(String text) {
    return new YamlEvents(
            new ParserImpl(new StreamReader(text), new LoaderOptions()),
            new Resolver(),
            scalar -> TextNode.valueOf(scalar.getValue()),
            100,
            null)
        .read();
  }
}
