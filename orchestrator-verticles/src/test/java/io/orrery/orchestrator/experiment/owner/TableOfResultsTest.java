package io.orrery.orchestrator.experiment.owner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.json.Json;
import io.orrery.core.metric.Direction;
import io.orrery.core.metric.Objective;
import io.orrery.core.metric.Objectives;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.space.ParameterShape;
import io.orrery.core.space.SearchSpace;
import io.orrery.orchestrator.experiment.model.ImportedResult;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables with results of elsewhere. */
class TableOfResultsTest {
  private static final ParameterShape SHAPE =
      ParameterShape.of(
          SearchSpace.asGiven(
              Json.parse(
                  """
                  {"lr": {"_type": "loguniform", "_value": [0.00001, 1]},
                   "batch": {"_type": "choice", "_value": [16, 32]},
                   "name": {"_type": "choice", "_value": ["1", "two, or", "-x"]},
                   "flag": {"_type": "choice", "_value": [true, false]}}
                  """)));

  private static String rows(String table) {
    return ImportedResults.read(table, SHAPE, Objectives.of(Direction.MAXIMIZE)).all().stream()
        .map(ImportedResult::canonical)
        .toList()
        .toString();
  }

  private static String listed(String list) {
    return rows(list);
  }

  @Test
  void aTableSaysWhatAListSays() {
    String listed =
        listed(
            """
            [{"parameter": {"lr": 0.001, "batch": 16, "name": "1", "flag": true}, "value": 0.5},
             {"parameter": {"lr": 1, "batch": 32, "name": "two, or", "flag": false}, "value": 1e-7},
             {"parameter": {"lr": 0.1, "batch": 16, "name": "-x", "flag": true}, "value": -3}]
            """);

    assertThat(
            rows(
                """
                lr,batch,name,flag,reward,trialJobId
                0.001,16,1,true,0.5,abcde
                1,32,"two, or",false,1e-7,abcdf
                0.1,16,'-x,true,-3,abcdg
                """))
        .isEqualTo(listed);
    assertThat(
            rows(
                "\uFEFF\"\",\"name\",\"flag\",\"batch\",\"seconds\",\"value\",\"lr\"\r\n"
                    + "0,\"1\",True,16,3.5,0.5,1e-3\r\n"
                    + "1,\"two, or\",False,32,NaN,0.0000001,1.0\r\n"
                    + "2,-x,True,16,,,0.1\r\n"
                    + "3,-x,True,16,,-3,0.1\r\n"))
        .as("of a data frame, with a row that has no result")
        .isEqualTo(listed);
  }

  @Test
  void objectivesHaveColumnsOfTheirNames() {
    Objectives two =
        new Objectives(
            List.of(
                new Objective("loss", Direction.MINIMIZE),
                new Objective("lr", Direction.MINIMIZE)));

    ImportedResults read =
        ImportedResults.read(
            """
            lr,batch,name,flag,loss,metric.lr,reward
            0.1,16,1,true,0.5,7,1
            0.2,16,1,true,0.25,8,1
            """,
            SHAPE,
            two);

    assertThat(read.all().stream().map(one -> two.numbers(one.value())).toList())
        .containsExactly(List.of(0.5, 7.0), List.of(0.25, 8.0));
  }

  @Test
  void whatIsWrongIsSaidWithTheRow() {
    assertThatThrownBy(() -> rows("lr,batch,name,flag,reward\n0.1,16,1,true,1\nbig,16,1,true,2\n"))
        .isInstanceOf(ProblemException.class)
        .hasMessageContaining("/1/parameter/lr");
    assertThatThrownBy(() -> rows("lr,batch,name,flag,reward\n0.1,16,1,true,good\n"))
        .isInstanceOf(ProblemException.class)
        .hasMessageContaining("/0/value");
    assertThatThrownBy(() -> rows("lr,batch,name,flag,reward\n0.1,,1,true,1\n"))
        .isInstanceOf(ProblemException.class)
        .hasMessageContaining("batch");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a,b\n1,2\n",
        "lr,batch,name,flag\n0.1,16,1,true\n",
        "lr;batch;name,reward\n",
        "lr,batch,name,flag,parameter.lr,reward\n0.1,16,1,true,0.2,1\n",
        "lr,batch,name,flag,reward,reward\n0.1,16,1,true,1,2\n",
        "lr,reward\n\"0.1,2",
        ","
      })
  void whatIsNoTableOfResultsIsRefused(String text) {
    assertThatThrownBy(() -> rows(text)).isInstanceOf(ProblemException.class);
  }

  @Test
  void tooManyResultsAreRefused() {
    String table = "lr,batch,name,flag,reward\n" + "0.1,16,1,true,1\n".repeat(10_001);

    assertThatThrownBy(() -> rows(table)).hasMessageContaining("at most 10000 results");
    assertThat(rows(table.substring(0, table.length() - "0.1,16,1,true,1\n".length())))
        .contains("0.1");
  }
}
