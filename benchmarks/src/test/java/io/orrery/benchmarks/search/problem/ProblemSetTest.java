package io.orrery.benchmarks.search.problem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.orrery.core.json.Json;
import io.orrery.core.space.SpaceReader;
import io.orrery.core.trial.Parameters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProblemSetTest {
  private static final Offset<Double> EXACT = Offset.offset(1e-9);

  @TempDir Path folder = Path.of(".");

  private SearchProblem problem(String name) throws IOException {
    return ProblemSet.read(folder).problems().stream()
        .filter(p -> p.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static Parameters parameters(String json) {
    return Json.read(json, Parameters.class);
  }

  @Test
  void aFunctionOfAnUnknownNameIsSkippedAndNamed() throws IOException {
    ProblemSet set = ProblemSet.read(Folders.formulas(folder));
    assertThat(set.problems())
        .extracting(SearchProblem::name)
        .containsExactly("sphere2_shifted", "noisy_sphere2_shifted");
    assertThat(set.skipped()).containsEntry("riddle3", "no evaluator for function 'riddle3'");
  }

  @Test
  void anEvaluatorThatDisagreesIsRefusedWithTheDifference() throws IOException {
    Path file = Folders.formulas(folder).resolve("problems.json");
    Files.writeString(file, Files.readString(file).replace("\"value\": 5.0", "\"value\": 5.001"));
    assertThatThrownBy(() -> ProblemSet.read(folder))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("sphere2_shifted")
        .hasMessageContaining("a difference of 0.00100");
  }

  @Test
  void regretIsNoughtAtTheOptimumAndOneAtATypicalGuess() throws IOException {
    Folders.formulas(folder);
    SearchProblem bowl = problem("sphere2_shifted");
    assertThat(bowl.regret(bowl.value(parameters("{\"x\": 1, \"y\": -2}")))).isZero();
    assertThat(bowl.regret(20)).isEqualTo(1);
    assertThat(bowl.regret(-3)).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "branin, 3.141592653589793;2.275, 0.39788735772973816",
    "hartmann6, 0.20169;0.150011;0.476874;0.275332;0.311652;0.6573, -3.32236801",
    "ackley4, 0;0;0;0, 0",
    "rosenbrock3, 1;1;1, 0",
    "levy5, 1;1;1;1;1, 0",
    "rastrigin3, 0;0;0, 0",
    "styblinski_tang2, -2.903534;-2.903534, -78.332331",
    "michalewicz2, 2.20290552;1.57079633, -1.80130341"
  })
  void testFunctionsHaveTheirKnownOptima(String name, String at, double optimum) {
    String[] x = at.split(";");
    Map<String, Object> space = new HashMap<>();
    Map<String, Object> point = new HashMap<>();
    for (int i = 0; i < x.length; i++) {
      space.put("x" + (i + 1), Map.of("_type", "uniform", "_value", List.of(-100, 100)));
      point.put("x" + (i + 1), Double.valueOf(x[i]));
    }
    ProblemObjective objective =
        Formulas.named(name, SpaceReader.read(Json.MAPPER.valueToTree(space)), "");
    assertThat(objective).isNotNull();
    assertThat(objective.value(new Parameters(Map.copyOf(point))))
        .isCloseTo(optimum, Offset.offset(1e-5));
  }

  @Test
  void aTableSnapsOnTheScaleOfTheTypeAndTiesGoDown() throws IOException {
    Folders.tables(folder);
    SearchProblem branches = problem("branches");
    assertThat(branches.nested()).isTrue();
    assertThat(branches.value(parameters("{\"c\": 10.0, \"kind\": {\"_name\": \"flat\"}}")))
        .isEqualTo(0.9);
    assertThat(branches.value(parameters("{\"c\": 10.1, \"kind\": {\"_name\": \"flat\"}}")))
        .isEqualTo(0.8);
    SearchProblem curves = problem("curves");
    assertThat(curves.value(parameters("{\"units\": 12, \"kind\": \"b\"}"))).isEqualTo(7);
    assertThat(curves.curve(parameters("{\"units\": 12.1, \"kind\": \"b\"}")))
        .containsExactly(12, 11, 10);
  }

  @Test
  void aNetIsEvaluatedAtEachEpoch() throws IOException {
    SearchProblem net = problemOf(Folders.net(folder));
    // 100 - (1 + 2 (1 + category + 3 epoch))
    assertThat(net.value(parameters("{\"kind\": \"five\"}"))).isCloseTo(75, EXACT);
    assertThat(net.curve(parameters("{\"kind\": \"five\"}"))).containsExactly(81, 75);
  }

  private static SearchProblem problemOf(Path folder) throws IOException {
    return ProblemSet.read(folder).problems().getFirst();
  }

  /** The folder of problems is not part of this repository: {@code -Dorrery.problems=DIR}. */
  @Test
  void everyEvaluatorAgreesWithTheFolderThatIsGiven() throws IOException {
    String given = System.getProperty("orrery.problems");
    assumeTrue(given != null, "no folder of problems is given: -Dorrery.problems=DIR");
    assertThat(ProblemSet.read(Path.of(given)).skipped()).isEmpty();
  }
}
