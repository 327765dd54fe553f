package io.orrery.gateway.architecture;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Tests that the JSON and YAML that comes in is read by the strict readers of {@code core.json}
 * (E7): a key that is there twice, bytes that are not UTF-8 and text behind the end are refused.
 */
@AnalyzeClasses(packages = "io.orrery", importOptions = BordersTest.Product.class)
class JsonReadersTest {
  /** Readers of streams that are as strict by themselves; each has a test of that. */
  private static final List<String> STREAMS =
      List.of("io.orrery.gateway.metric.LineReader", "io.orrery.gateway.mlflow.MlflowBatch");

  /** Readers of what a server, or this program, has written itself. */
  private static final List<String> OWN =
      List.of(
          "io.orrery.cli.backup.BackupManifest",
          "io.orrery.cli.doctor.SupportBundle",
          "io.orrery.core.bus.WireCodec",
          "io.orrery.orchestrator.experiment.store.ExperimentTable",
          "io.orrery.orchestrator.experiment.store.StoredSets",
          "io.orrery.studio.people.SecretTable",
          "io.orrery.tuner.host.Registry");

  /** Reads lines of CSV; JSON in a cell goes through {@code core.json}. */
  private static final String TABLES = "io.orrery.orchestrator.experiment.owner.TableOfResults";

  /** Compares two answers, whatever they are. */
  private static final String ANSWERS = "io.orrery.router.control.BodyComparison";

  @ArchTest
  static void jsonIsReadInOnePlace(JavaClasses classes) {
    String known =
        List.of(STREAMS, OWN, List.of(TABLES, ANSWERS)).stream()
            .flatMap(List::stream)
            .map(Pattern::quote)
            .collect(Collectors.joining("|"));
    noClasses()
        .that()
        .resideOutsideOfPackages("io.orrery.core.json..", "io.orrery.benchmarks..")
        .and()
        .haveNameNotMatching("(" + known + ")(\\$.*)?")
        .should()
        .callMethodWhere(
            target(owner(assignableTo(ObjectMapper.class)))
                .and(target(nameMatching("read(Tree|Value|Values)|reader.*|createParser"))))
        .orShould()
        .callMethodWhere(
            target(owner(assignableTo(JsonFactory.class)))
                .and(target(nameMatching("create.*Parser"))))
        .check(classes);
  }

  @ArchTest
  static final ArchRule YAML_IS_READ_IN_ONE_PLACE =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.orrery.core.json..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.yaml..", "org.snakeyaml..");

  /** Its readers take a key twice and text behind the end. */
  @ArchTest
  static final ArchRule THE_JSON_OF_VERTX_READS_NOTHING =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.orrery.benchmarks..")
          .should()
          .callMethodWhere(
              target(
                  nameMatching(
                      "(decodeValue|toJsonObject|toJsonArray|bodyAsJson.*|body.*AsJson.*)")));
}
