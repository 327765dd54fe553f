package io.orrery.core.project;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.problem.ProblemException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NodeSelectorTest {
  private static NodeSelector selector(String text) {
    Parsed<NodeSelector> read = NodeSelector.read(text);
    assertThat(read.findings()).as(text).isEmpty();
    return read.value();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "org=a,b;example.com/zone=x-1.y_Z;empty=",
        " org = a , b ; example.com/zone=x-1.y_Z ; ; empty= ;",
        "org=a,b\nexample.com/zone=x-1.y_Z\r\nempty=",
        "org=a,b\texample.com/zone=x-1.y_Z\tempty=\torg=a,b",
        "org=a,b,a;example.com/zone=x-1.y_Z;empty=",
      })
  void labelsAreReadInTheirOrder(String text) {
    assertThat(selector(text).text()).isEqualTo("org=a,b;example.com/zone=x-1.y_Z;empty=");
    assertThat(selector(text).orgs()).containsExactly("a", "b");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", ";\n"})
  void aBlankTextHasNoLabels(String text) {
    assertThat(selector(text)).isEqualTo(NodeSelector.ANY);
    assertThat(selector(text).orgs()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '>',
      quoteCharacter = '`',
      value = {
        "org > 0 > has no '='",
        "a=1; =b > 5 > key before '=' is missing",
        "a=1; b==b > 7 > not a label value",
        "a=x y > 2 > not a label value",
        "a=-x > 2 > not a label value",
        "a b=x > 0 > not a label key",
        "/b=x > 0 > must be a DNS name",
        "Ex.com/b=x > 0 > must be a DNS name",
        "a.b/c/d=x > 0 > not a label key",
        "a=1;b=2;a=3 > 8 > '3' here and '1' before",
        "org=a;org=b > 6 > write org=a,b",
        "a=1,b=2 > 2 > write ';' between two labels",
        "org=a,,b > 6 > a resource group is missing",
        "org= > 4 > a resource group is missing",
        "org=a,b=c > 6 > not a label value",
        "org＝a > 0 > write '='",
      })
  void aFaultIsNamedAtItsPlaceWithTheRemedy(String text, int offset, String words) {
    assertThat(NodeSelector.read(text).findings())
        .as(text)
        .singleElement()
        .satisfies(finding -> {
          assertThat(finding.message()).contains(words);
          assertThat(finding.offset()).isEqualTo(offset);
        });
  }

  @Test
  void aRepeatedLabelIsDroppedAndNoticed() {
    Parsed<NodeSelector> read = NodeSelector.read("a=1;b=2;a=1");
    assertThat(read.value().text()).isEqualTo("a=1;b=2");
    assertThat(read.findings()).isEmpty();
    assertThat(read.notices()).extracting(TextFinding::offset).containsExactly(8);
  }

  @Test
  void aTextBeyondTheLimitsIsRefusedOnce() {
    assertThat(selector("a=" + "x".repeat(63)).labels()).hasSize(1);
    assertThat(NodeSelector.read("a=" + "x".repeat(64)).findings()).hasSize(1);
    assertThat(NodeSelector.read(";".repeat(10_001)).findings()).hasSize(1);
    String many =
        IntStream.range(0, 105).mapToObj(i -> "a" + i + "=x").collect(Collectors.joining(";"));
    assertThat(NodeSelector.read(many).findings())
        .extracting(TextFinding::offset)
        .containsExactly(many.indexOf("a100="));
    assertThat(NodeSelector.readOrgs("x,".repeat(5_001)).findings()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "''                  | NOTEBOOK | 0 | -    | -      | cpu=true;notebook=true;org=public | ''",
        "''                  | TRAIN    | 0 | -    | -      | cpu=true;train=true;org=public | ''",
        "''                  | SERVICE  | 1 | -    | -      | gpu=true;service=true;org=public | ''",
        "''                  | TRAIN    | 8 | t4   | vision | gpu=true;train=true;gpu-type=T4;org=vision | ''",
        "''                  | TRAIN    | 0 | T4   | -      | cpu=true;train=true;org=public | ''",
        "''                  | TRAIN    | 1 | ' '  | ''     | gpu=true;train=true;org=public | ''",
        "''                  | TRAIN    | 0 | -    | a,b    | cpu=true;train=true | a,b",
        "''                  | NOTEBOOK | 0 | -    | 'a, b' | cpu=true;notebook=true | a,b",
        "''                  | TRAIN    | 0 | -    | 'a,a'  | cpu=true;train=true;org=a | ''",
        "org=x               | TRAIN    | 0 | -    | a,b    | org=x;cpu=true;train=true | ''",
        "org=x,y             | SERVICE  | 2 | -    | a      | gpu=true;service=true | x,y",
        "cpu=true;zone=n     | TRAIN    | 1 | -    | -      | zone=n;gpu=true;train=true;org=public | ''",
        "gpu=true;zone=n     | TRAIN    | 0 | -    | -      | zone=n;cpu=true;train=true;org=public | ''",
        "cpu=true;train=true | TRAIN    | 0 | -    | -      | cpu=true;train=true;org=public | ''",
        "gpu=false           | TRAIN    | 0 | -    | -      | gpu=false;cpu=true;train=true;org=public | ''",
        "gpu-type=T4         | TRAIN    | 1 | T4   | -      | gpu-type=T4;gpu=true;train=true;org=public | ''",
      })
  void theNodesOfAWorkloadAreComputed(
      String labels, WorkloadRole role, int gpus, String type, String org, String node, String in) {
    NodePlacement placement = selector(labels).forWorkload(role, gpus, type, org);
    assertThat(
            placement.nodeSelector().entrySet().stream()
                .map(Object::toString)
                .collect(Collectors.joining(";")))
        .isEqualTo(node);
    assertThat(String.join(",", placement.orgs())).isEqualTo(in);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "gpu-type=A100 | 1 | T4  | -   | says gpu-type=A100",
        "gpu=false     | 1 | -   | -   | says gpu=false",
        "cpu=false     | 0 | -   | -   | says cpu=false",
        "train=false   | 0 | -   | -   | says train=false",
        "''            | 1 | T 4 | -   | label gpu-type cannot be set",
        "''            | 0 | -   | a,  | resource group is missing",
      })
  void theLimitOfAProjectIsNeverReplaced(
      String labels, int gpus, String type, String org, String words) {
    assertThatThrownBy(() -> selector(labels).forWorkload(WorkloadRole.TRAIN, gpus, type, org))
        .isInstanceOf(ProblemException.class)
        .hasMessageContaining(words);
  }

  @Test
  void aNegativeNumberOfGpusIsAProgrammingError() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> NodeSelector.ANY.forWorkload(WorkloadRole.TRAIN, -1, null, null));
  }

  @Test
  void aSelectorThatCouldNotBeReadBackCannotBeMade() {
    for (Map<String, String> labels :
        List.of(Map.of("a b", "c"), Map.of("a", "b c"), Map.of("org", "a,a"), Map.of("org", ""))) {
      assertThatIllegalArgumentException().isThrownBy(() -> new NodeSelector(labels));
    }
  }

  @Test
  void readingTheTextOfASelectorGivesAnEqualSelector() {
    RandomText random = new RandomText(10_8);
    for (int i = 0; i < 5_000; i++) {
      Map<String, String> labels = new LinkedHashMap<>();
      for (int n = random.below(6); n > 0; n--) {
        labels.put(
            random.of(List.of("a", "cpu", "x.y/z", "A_b.c-d", "0")),
            random.of(List.of("", "true", "a", "A-b_c.d", "0")));
      }
      if (random.below(2) == 0) {
        labels.put("org", random.of(List.of("public", "a,b", "c,a,b")));
      }
      NodeSelector selector = new NodeSelector(labels);
      assertThat(selector(selector.text()).labels().entrySet())
          .containsExactlyElementsOf(selector.labels().entrySet());
      String slip = random.slip(selector.text());
      RandomText.assertPlaced(NodeSelector.read(slip), slip);
    }
  }

  @Test
  void anyTextIsReadAndEveryPlaceLiesInIt() {
    RandomText random = new RandomText(10_9);
    for (int i = 0; i < 5_000; i++) {
      String text = random.garbage();
      Parsed<NodeSelector> read = NodeSelector.read(text);
      RandomText.assertPlaced(read, text);
      RandomText.assertPlaced(NodeSelector.readOrgs(text), text);
      assertThat(selector(read.value().text())).isEqualTo(read.value());
    }
  }
}
