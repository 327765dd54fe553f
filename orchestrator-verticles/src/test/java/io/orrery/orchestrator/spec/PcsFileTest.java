package io.orrery.orchestrator.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import java.util.List;
import org.junit.jupiter.api.Test;

/** BOHB's own file of a search space (D). */
class PcsFileTest extends SpecFixture {
  private static final String PCS =
      """
      # learning
      rate real [1e-4, 0.1] [0.01] log
      momentum real [0.5, 0.99] [0.9]   # often 0.9
      layers integer [1, 8] [2]
      width integer [16, 1024] [64] log
      optimizer categorical {adam, sgd} [adam]
      size ordinal {small, large} [small]
      """;

  private static final String BOHB =
      with(
          "  name: TPE\n  classArgs: {optimize_mode: minimize}",
          "  name: BOHB\n  classArgs: {optimize_mode: minimize, max_budget: 9, config_space: s.pcs}");

  @Test
  void theFileTakesThePlaceOfTheSearchSpace() {
    write("s.pcs", PCS);

    SpecReading reading = read(BOHB);

    assertThat(reading.findings()).isEmpty();
    assertThat(reading.notices())
        .contains(
            "The search space is that of %s, the config_space of BOHB."
                .formatted(directory.resolve("s.pcs")));
    assertThat(Json.parse(reading.spec().description().config()).path("searchSpace"))
        .isEqualTo(
            Json.parse(
                """
                {"rate": {"_type": "loguniform", "_value": [0.0001, 0.1]},
                 "momentum": {"_type": "uniform", "_value": [0.5, 0.99]},
                 "layers": {"_type": "randint", "_value": [1, 9]},
                 "width": {"_type": "qloguniform", "_value": [16, 1024, 1]},
                 "optimizer": {"_type": "choice", "_value": ["adam", "sgd"]},
                 "size": {"_type": "choice", "_value": ["small", "large"]}}
                """));
    assertThat(reading.spec().search().tuner().classArgs().values())
        .containsOnlyKeys("optimize_mode", "max_budget");
  }

  @Test
  void whatCannotBeReadIsSaidWithItsLine() {
    write(
        "s.pcs",
        """
        a categorical {x, y} [x]
        a real [0, 1] [0]
        b | a in {x}
        {a=x, c=y}
        c [0,1] [0.5]l
        d integer [0.5, 3] [1]
        """);

    List<Finding> findings = read(BOHB).findings();

    assertThat(findings).extracting(Finding::pointer).containsOnly("/tuner/classArgs/config_space");
    assertThat(findings)
        .extracting(Finding::message)
        .satisfiesExactly(
            m -> assertThat(m).contains("s.pcs, line 2: the parameter 'a' is here twice"),
            m -> assertThat(m).contains("line 3: conditions are not read"),
            m -> assertThat(m).contains("line 4: forbidden combinations are not read"),
            m -> assertThat(m).contains("line 5: 'c [0,1] [0.5]l' is no parameter"),
            m -> assertThat(m).contains("line 6: the bounds of 'd' must be integers"));
  }

  @Test
  void aFaultOfTheSpaceIsSaidOfTheFile() {
    write("s.pcs", "rate real [0, 0.1] [0.01] log\n");

    assertThat(fault(BOHB).pointer()).startsWith("/tuner/classArgs/config_space");
  }

  @Test
  void aFileThatIsNotThereIsMissedAtItsKey() {
    Finding fault = fault(BOHB.replace("s.pcs", "none.pcs"));

    assertThat(fault.pointer()).isEqualTo("/tuner/classArgs/config_space");
    assertThat(fault.message()).contains("does not exist");
  }
}
