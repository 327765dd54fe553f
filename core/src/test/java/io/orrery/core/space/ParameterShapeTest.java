package io.orrery.core.space;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.space.ParameterShape.Verdict;
import io.orrery.core.trial.Parameters;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ParameterShapeTest {
  private static final String SPACE =
      """
      {"lr": {"_type": "loguniform", "_value": [0.001, 1]},
       "units": {"_type": "randint", "_value": [1, 9]},
       "act": {"_type": "choice", "_value": ["relu", "tanh"]},
       "opt": {"_type": "choice", "_value": [
         {"_name": "sgd", "rate": {"_type": "uniform", "_value": [0, 1]},
           "momentum": {"_type": "normal", "_value": [0, 1]}},
         {"_name": "adam", "rate": {"_type": "uniform", "_value": [0, 1]}}]}}
      """;

  private static final String GOOD =
      """
      {"lr": 0.5, "units": 8, "act": "tanh", "opt": {"_name": "adam", "rate": 0}}
      """;

  private final ParameterShape shape = ParameterShape.of(space(SPACE));

  private static SearchSpace space(String json) {
    return SearchSpace.of(Json.parse(json));
  }

  private Verdict judge(String json) {
    return shape.judge(Json.read(json, Parameters.class).values());
  }

  @Test
  void whatTheSpaceHasIsFine() {
    Verdict verdict = judge(GOOD.replace("8", "8.0"));

    assertThat(verdict.findings()).isEmpty();
    assertThat(verdict.notices()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          "lr": 0.5,       |                                | /lr          | is missing
          "lr": 0.5        | "lrr": 0.5                     | /lrr         | the search space has no parameter 'lrr' (did you mean 'lr'?)
          "lr": 0.5        | "lr": 0.5, "zeal": 1           | /zeal        | the search space has no parameter 'zeal'; it has act, lr, opt, units
          "lr": 0.5        | "lr": "0.5"                    | /lr          | must be a number, this is "0.5"
          "lr": 0.5        | "lr": null                     | /lr          | must be a number, this is null
          "units": 8       | "units": 2.5                   | /units       | must be a whole number, this is 2.5
          "act": "tanh"    | "act": 3                       | /act         | must be one of "relu", "tanh", this is 3
          {"_name": "adam", "rate": 0} | "adam"             | /opt         | must be a branch such as {"_name": "sgd", …}, this is "adam"
          {"_name": "adam", "rate": 0} | {"rate": 0}        | /opt         | must be a branch
          "adam"           | "adm"                          | /opt/_name   | there is no branch 'adm' (did you mean 'adam'?); there is sgd, adam
          "adam"           | "sgd"                          | /opt/momentum | is missing
          "adam", "rate": 0 | "adam", "rate": 0, "momentum": 1 | /opt/momentum | the search space has no parameter 'momentum'
          """)
  void whatNoTrialCouldBeGivenIsAFinding(
      String part, String instead, String pointer, String message) {
    Verdict verdict = judge(GOOD.replace(part, instead == null ? "" : instead));

    assertThat(verdict.findings()).hasSize(1);
    Finding finding = verdict.findings().getFirst();
    assertThat(finding.pointer()).isEqualTo(pointer);
    assertThat(finding.message()).startsWith(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          "lr": 0.5       | "lr": 2       | lr is 2, outside the search space: it has values from 0.001 to 1.
          "units": 8      | "units": 9    | units is 9, outside the search space: it has values from 1 to 8.
          "act": "tanh"   | "act": "gelu" | act is "gelu", which is none of the search space's choices: "relu", "tanh".
          "rate": 0       | "rate": -1    | opt.rate is -1, outside the search space: it has values from 0 to 1.
          """)
  void aValueOutsideIsANotice(String part, String instead, String notice) {
    Verdict verdict = judge(GOOD.replace(part, instead));

    assertThat(verdict.findings()).isEmpty();
    assertThat(verdict.notices()).containsExactly(notice);
  }

  @Test
  void everyFaultIsSaidAtOnce() {
    assertThat(judge("{\"units\": \"a\", \"opt\": 3, \"zeal\": 1}").findings())
        .extracting(Finding::pointer)
        .containsExactly("/units", "/opt", "/zeal", "/lr", "/act");
  }

  @Test
  void namesAreFlatAndKnowWhatDependsOnABranch() {
    assertThat(shape.names().always())
        .containsExactlyInAnyOrder("lr", "units", "act", "opt", "opt.rate");
    assertThat(shape.names().sometimes()).containsExactly("opt.momentum");
  }

  @Test
  void aListHasTheNamesOfItsSets() {
    ParameterShape list =
        ParameterShape.ofList(
            space(
                """
                {"all": {"_type": "choice", "_value": [{"a": 1, "b": 2}, {"a": 3, "c": [4]}]}}
                """));

    assertThat(list.names().always()).containsExactly("a");
    assertThat(list.names().sometimes()).containsExactly("b", "c");
    assertThat(list.judge(Json.read("{\"a\": 1, \"c\": [4.0]}", Parameters.class).values()))
        .isEqualTo(new Verdict(List.of(), List.of()));
    assertThat(list.judge(Json.read("{\"all\": 1}", Parameters.class).values()).findings())
        .extracting(Finding::pointer)
        .containsExactly("/all", "/a");
  }

  @Test
  void anOptionOfAListThatIsNoObjectIsAValueWithoutAName() {
    // D8
    ParameterShape list =
        ParameterShape.ofList(
            space("{\"all\": {\"_type\": \"choice\", \"_value\": [1, \"two\"]}}"));

    assertThat(list.takesBareValues()).isTrue();
    assertThat(list.judge(Parameters.ofValue("two").values()))
        .isEqualTo(new Verdict(List.of(), List.of()));
    assertThat(list.judge(Parameters.ofValue("three").values()).notices()).hasSize(1);
    assertThat(list.judge(Json.read("{\"x\": 1}", Parameters.class).values()).findings())
        .isNotEmpty();
  }

  @Test
  void whatTheAlgorithmAddsMayHaveAnyValueButMustBeThere() {
    ParameterShape budgeted =
        ParameterShape.of(space("{\"x\": {\"_type\": \"uniform\", \"_value\": [0, 1]}}"))
            .with(Set.of("TRIAL_BUDGET"));

    assertThat(budgeted.names().always()).containsExactlyInAnyOrder("x", "TRIAL_BUDGET");
    assertThat(
            budgeted.judge(Json.read("{\"x\": 1, \"TRIAL_BUDGET\": 9}", Parameters.class).values()))
        .isEqualTo(new Verdict(List.of(), List.of()));
    assertThat(budgeted.judge(Json.read("{\"x\": 1}", Parameters.class).values()).findings())
        .extracting(Finding::pointer)
        .containsExactly("/TRIAL_BUDGET");
  }
}
