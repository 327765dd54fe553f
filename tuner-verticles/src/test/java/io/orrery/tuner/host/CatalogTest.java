package io.orrery.tuner.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.bus.contract.Tuners.Algorithm;
import io.orrery.core.bus.contract.Tuners.Check;
import io.orrery.core.bus.contract.Tuners.Checked;
import io.orrery.core.experiment.AlgorithmSpec;
import io.orrery.core.metric.Direction;
import io.orrery.core.problem.Finding;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.trial.Parameters;
import io.orrery.tuner.search.Spaces;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CatalogTest {
  private final Catalog catalog = Catalog.standard();

  private Checked check(String name, String arguments, SearchSpace space) {
    AlgorithmSpec spec = new AlgorithmSpec(name, null, null, Spaces.read(arguments));
    return catalog.check(new Check("tuner", spec, space, 1));
  }

  @ParameterizedTest
  @CsvSource({"Random, Random", "random, Random", "GRIDSEARCH, GridSearch"})
  void namesAreFoundWhateverTheirCase(String asked, String spelt) {
    Checked checked = check(asked, "{}", Spaces.CONTINUOUS);
    assertThat(checked.findings()).isEmpty();
    assertThat(checked.name()).isEqualTo(spelt);
    assertThat(checked.optimizeMode()).isNull();
  }

  @Test
  void severalObjectivesAreForThoseThatTakeThem() {
    for (String able : List.of("NSGAII", "nsga-ii", "Auto", "Random", "GridSearch")) {
      assertThat(catalog.check(several(able)).findings()).isEmpty();
    }
    assertThat(catalog.check(several("TPE")).findings())
        .containsExactly(
            new Finding(
                "/objectives",
                "TPE takes one objective, not 2; these take several: Auto, NSGAII, Random,"
                    + " GridSearch, Batch"));
  }

  private static Check several(String tuner) {
    return new Check("tuner", AlgorithmSpec.named(tuner), Spaces.FINITE, 2);
  }

  @Test
  void aliasesOfNniAreKnown() {
    assertThat(check("BatchTuner", "{}", Spaces.one("choice", "[{\"a\": 1}]")).name())
        .isEqualTo("Batch");
  }

  @Test
  void theDefaultTunerTakesEverySpace() {
    for (SearchSpace space : Spaces.ALL) {
      assertThat(check(AlgorithmSpec.DEFAULT_TUNER, "{\"seed\": 1}", space).findings()).isEmpty();
    }
  }

  @Test
  void theDirectionOfTheArgumentsIsReported() {
    assertThat(check("Random", "{\"optimize_mode\": \"minimize\"}", Spaces.FINITE).optimizeMode())
        .isEqualTo(Direction.MINIMIZE);
  }

  @Test
  void anUnknownNameGetsTheNearestAndTheList() {
    Checked checked = check("Randon", "{}", Spaces.FINITE);
    assertThat(checked.name()).isNull();
    assertThat(checked.findings())
        .singleElement()
        .satisfies(finding -> {
          assertThat(finding.pointer()).isEqualTo("/tuner/name");
          assertThat(finding.message()).contains("did you mean 'Random'", "GridSearch");
        });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"sed": 1}                   | /tuner/classArgs/sed           | did you mean 'seed'
          {"seed": "x"}                | /tuner/classArgs/seed          | must be an integer, this is 'x'
          {"seed": 1.5}                | /tuner/classArgs/seed          | must be an integer, this is 1.5
          {"optimize_mode": "minimise"} | /tuner/classArgs/optimize_mode | did you mean 'minimize'
          {"optimize_mode": 3}         | /tuner/classArgs/optimize_mode | must be one of maximize, minimize
          """)
  void wrongArgumentsAreNamed(String arguments, String pointer, String message) {
    assertThat(check("Random", arguments, Spaces.FINITE).findings())
        .singleElement()
        .satisfies(finding -> {
          assertThat(finding.pointer()).isEqualTo(pointer);
          assertThat(finding.message()).contains(message);
        });
  }

  @Test
  void everythingWrongIsReportedAtOnce() {
    assertThat(check("Random", "{\"sed\": 1, \"seed\": []}", Spaces.FINITE).findings()).hasSize(2);
  }

  @Test
  void aTypeThatIsNotTakenNamesTheParameterAndWhoTakesIt() {
    SearchSpace space =
        Spaces.of(
            """
            {"o": {"_type": "choice", "_value": [
               {"_name": "a", "l/r": {"_type": "uniform", "_value": [0, 1]}}]}}
            """);
    assertThat(check("Batch", "{}", space).findings())
        .extracting(Finding::pointer)
        .containsExactly("/searchSpace/o/_type", "/searchSpace/o/_value/0/l~1r/_type");
    assertThat(check("Batch", "{}", Spaces.one("uniform", "[0, 1]")).findings())
        .singleElement()
        .extracting(Finding::message)
        .asString()
        .contains("Batch", "'uniform'", "parameter p", "TPE", "Random", "GridSearch");
  }

  @Test
  void branchesWithOneNameAreRefused() {
    SearchSpace space = Spaces.one("choice", "[{\"_name\": \"a\"}, {\"_name\": \"a\"}]");
    assertThat(check("Random", "{}", space).findings())
        .extracting(Finding::pointer)
        .containsExactly("/searchSpace/p/_value/1/_name");
  }

  @Test
  void aSpaceOfWhichNothingMayBeTriedIsRefused() {
    SearchSpace contradictory = Spaces.under(Spaces.FINITE, "a > 5", "a + b <= 1");
    assertThat(check("Random", "{}", contradictory).findings())
        .containsExactly(
            new Finding(
                "/constraints",
                "none of the 336 points of the search space meets the constraints"));
    assertThat(
            check("TPE", "{}", Spaces.under(Spaces.CONTINUOUS, "lr + momentum == 0.3")).findings())
        .singleElement()
        .satisfies(finding -> {
          assertThat(finding.pointer()).isEqualTo("/constraints");
          assertThat(finding.message()).startsWith("of 20,000 points drawn");
        });
    for (SearchSpace space : Spaces.CONSTRAINED) {
      assertThat(check("TPE", "{}", space).findings()).isEmpty();
    }
    SearchSpace list = Spaces.one("choice", "[{\"a\": 1}, {\"a\": 2}]");
    assertThat(check("Batch", "{}", Spaces.under(list, "a > 1")).findings()).isEmpty();
    assertThat(check("Batch", "{}", Spaces.under(list, "a > 2")).findings())
        .extracting(Finding::pointer)
        .containsExactly("/constraints");
  }

  @Test
  void aClassOfTheUsersOwnMustBeNamedWithItsModule() {
    assertThat(custom("my_tuner.Mine").findings()).isEmpty();
    assertThat(custom("my_tuner.Mine").name()).isEqualTo("my_tuner.Mine");
    for (String wrong : List.of("Mine", "my-tuner.Mine", "a;b.C", ".Mine", "a..b")) {
      assertThat(custom(wrong).findings())
          .singleElement()
          .satisfies(finding -> {
            assertThat(finding.pointer()).isEqualTo("/tuner/className");
            assertThat(finding.message()).contains("module.Class", "'" + wrong + "'");
          });
    }
  }

  private Checked custom(String className) {
    AlgorithmSpec spec = new AlgorithmSpec(null, className, "code", Parameters.EMPTY);
    return catalog.check(new Check("tuner", spec, Spaces.FINITE, 1));
  }

  @Test
  void anUnknownAssessorIsRefusedAtItsName() {
    Check check = new Check("assessor", AlgorithmSpec.named("Hopeful"), Spaces.FINITE, 1);
    assertThat(catalog.check(check).findings())
        .extracting(Finding::pointer)
        .containsExactly("/assessor/name");
  }

  @Test
  void theArgumentsOfAnAssessorAreChecked() {
    assertThat(checkAssessor("medianstop", "{\"start_step\": 3}").name()).isEqualTo("Medianstop");
    assertThat(checkAssessor("Medianstop", "{\"optimize_mode\": \"minimize\"}").optimizeMode())
        .isEqualTo(Direction.MINIMIZE);
    assertThat(checkAssessor("Medianstop", "{\"start_stop\": 3}").findings())
        .singleElement()
        .satisfies(finding -> {
          assertThat(finding.pointer()).isEqualTo("/assessor/classArgs/start_stop");
          assertThat(finding.message()).contains("did you mean 'start_step'");
        });
    assertThat(checkAssessor("Medianstop", "{\"start_step\": -1}").findings()).hasSize(1);
  }

  private Checked checkAssessor(String name, String arguments) {
    AlgorithmSpec spec = new AlgorithmSpec(name, null, null, Spaces.read(arguments));
    return catalog.check(new Check("assessor", spec, Spaces.FINITE, 1));
  }

  @Test
  void assessorsAreListedBesideTheTuners() {
    assertThat(catalog.list().algorithms())
        .extracting(algorithm -> algorithm.kind() + " " + algorithm.name())
        .contains("tuner TPE", "assessor Medianstop");
  }

  @Test
  void theListSaysWhatEachTakes() {
    Algorithm random =
        catalog.list().algorithms().stream()
            .filter(a -> a.name().equals("Random"))
            .findFirst()
            .orElseThrow();
    assertThat(random.types()).hasSize(11).containsEntry("nested", true);
    assertThat(random.arguments())
        .extracting(a -> a.name() + ":" + a.type())
        .containsExactly("seed:integer", "optimize_mode:text");
    Algorithm batch =
        catalog.list().algorithms().stream()
            .filter(a -> a.name().equals("Batch"))
            .findFirst()
            .orElseThrow();
    assertThat(batch.types()).containsEntry("choice", true).containsEntry("nested", false);
  }
}
