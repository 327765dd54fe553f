package io.orrery.orchestrator.experiment.owner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.orrery.core.metric.Direction;
import io.orrery.core.metric.Objectives;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.space.Dimension;
import io.orrery.core.space.ParameterShape;
import io.orrery.core.space.SearchSpace;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Documents with results of elsewhere. */
class ImportedResultsTest {
  private static final ParameterShape SHAPE =
      ParameterShape.of(new SearchSpace(Map.of("x", new Dimension.Uniform(0, 1))));

  private static ImportedResults read(String document) {
    return ImportedResults.read(document, SHAPE, Objectives.of(Direction.MAXIMIZE));
  }

  @Test
  void aValueIsANumberAWordAnObjectOrTheTextOfOne() {
    assertThat(
            read("""
            [{"parameter": {"x": 0.1}, "value": 0.9, "trialJobId": "abcde"},
             {"parameter": {"x": 0.2}, "value": "0.8"},
             {"parameter": {"x": 0.3}, "value": {"default": 0.7, "loss": 1}},
             {"parameter": {"x": 0.4}, "value": "{\\"default\\": 0.6}"},
             {"parameter": {"x": 0.5}, "value": "-Infinity"}]
            """)
                .all())
        .map(result -> result.value().number())
        .containsExactly(0.9, 0.8, 0.7, 0.6, Double.NEGATIVE_INFINITY);
  }

  /** C6: as a trial's final result is judged. */
  @Test
  void aValueIsJudgedAsEverywhere() {
    assertThat(read("[{\"parameter\": {\"x\": 0.1}, \"value\": true}]").all())
        .map(result -> result.value().number())
        .containsExactly(1.0);
    for (String value :
        new String[] {"{\"loss\": 1}", "{\"default\": \"0.5\"}", "\"{\\\"loss\\\": 1}\"", "[1]"}) {
      assertThatThrownBy(() -> read("[{\"parameter\": {\"x\": 0.1}, \"value\": " + value + "}]"))
          .isInstanceOf(ProblemException.class)
          .hasMessageContaining("/0/value");
    }
  }

  @Test
  void everythingThatIsWrongIsSaidWithItsPlace() {
    assertThatThrownBy(() ->
            read(
                """
                [{"parameter": {"x": 0.1}, "value": 0.9},
                 {"parameter": {"y": 0.1}, "value": 0.9},
                 {"parameters": {"x": 0.1}},
                 {"parameter": {"x": 0.1}, "value": [1]},
                 7]
                """))
        .asInstanceOf(type(ProblemException.class))
        .extracting(ProblemException::problem)
        .asInstanceOf(type(Problem.Refused.class))
        .extracting(refused -> refused.findings().stream().map(Finding::pointer).toList())
        .isEqualTo(
            List.of(
                "/1/parameter/y",
                "/2/parameter",
                "/2/value",
                "/3/value",
                "/4/parameter",
                "/4/value"));
  }

  @Test
  void neitherAnythingElseThanAListNorTooLongAOneIsTaken() {
    assertThatThrownBy(() -> read("{\"parameter\": {\"x\": 0.1}, \"value\": 1}"))
        .hasMessageContaining("results are a list");
    String row = "{\"parameter\": {\"x\": 0.1}, \"value\": 1}";
    assertThat(read("[" + (row + ",").repeat(9_999) + row + "]").all()).hasSize(10_000);
    assertThatThrownBy(() -> read("[" + (row + ",").repeat(10_000) + row + "]"))
        .hasMessageContaining("at most 10000 results, this one has 10001");
  }

  @Test
  void valuesOutsideOfTheSpaceAreTakenWithANotice() {
    ImportedResults read =
        read(
            """
            [{"parameter": {"x": 0.1}, "value": 1}, {"parameter": {"x": 3}, "value": 2}]
            """);

    assertThat(read.all()).hasSize(2);
    assertThat(read.notices()).singleElement().asString().contains("1 of the results", "/1");
  }

  @Test
  void asManyOfEqualResultsAreLeftOutAsAreKnown() {
    ImportedResults read =
        read(
            """
            [{"parameter": {"x": 1}, "value": 1}, {"parameter": {"x": 1.0}, "value": 1},
             {"parameter": {"x": 1}, "value": 2}]
            """);

    assertThat(read.without(read.all().subList(0, 1)))
        .map(result -> result.value().number())
        .containsExactly(1.0, 2.0);
    assertThat(read.without(read.all())).isEmpty();
  }
}
