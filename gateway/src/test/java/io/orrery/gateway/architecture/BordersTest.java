package io.orrery.gateway.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.orrery.core.experiment.ExperimentDescription;
import io.orrery.core.experiment.ExperimentLimits;
import io.orrery.core.experiment.ExperimentSpec;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/** Tests the borders of modules and packages, as far as Maven does not hold them. */
@AnalyzeClasses(packages = "io.orrery", importOptions = BordersTest.Product.class)
class BordersTest {
  /** Includes all but tests, those included that another module lends in a jar. */
  static final class Product implements ImportOption {
    private final ImportOption here = new ImportOption.DoNotIncludeTests();

    @Override
    public boolean includes(Location location) {
      return here.includes(location) && !location.contains("-tests.jar");
    }
  }

  private static final List<String> PARTS =
      List.of("orchestrator", "studio", "tuner", "metrics", "cli", "router");

  private static final List<String> MODULES =
      Stream.concat(PARTS.stream(), Stream.of("core", "kubernetes", "compute", "gateway")).toList();

  @ArchTest
  static void noModuleOfVerticlesSeesAnother(JavaClasses classes) {
    for (String module : PARTS) {
      String[] others =
          PARTS.stream()
              .filter(other -> !other.equals(module))
              .map(other -> "io.orrery." + other + "..")
              .toArray(String[]::new);
      noClasses()
          .that()
          .resideInAPackage("io.orrery." + module + "..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(others)
          .allowEmptyShould(true)
          .check(classes);
    }
  }

  @ArchTest
  static final ArchRule NO_MODULE_SEES_THE_GATEWAY =
      noClasses()
          .that()
          .resideOutsideOfPackages("io.orrery.gateway..", "io.orrery.benchmarks..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.orrery.gateway..");

  @ArchTest
  static final ArchRule CORE_SEES_NO_OTHER_MODULE =
      noClasses()
          .that()
          .resideInAPackage("io.orrery.core..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.orrery.kubernetes..",
              "io.orrery.compute..",
              "io.orrery.orchestrator..",
              "io.orrery.studio..",
              "io.orrery.tuner..",
              "io.orrery.metrics..",
              "io.orrery.cli..");

  /** A library: it sees core alone. */
  @ArchTest
  static final ArchRule THE_KUBERNETES_CLIENT_KNOWS_NO_TRIALS =
      noClasses()
          .that()
          .resideInAPackage("io.orrery.kubernetes..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.orrery.compute..",
              "io.orrery.orchestrator..",
              "io.orrery.studio..",
              "io.orrery.tuner..",
              "io.orrery.metrics..",
              "io.orrery.router..",
              "io.orrery.cli..",
              "io.orrery.core.trial..",
              "io.orrery.core.experiment..");

  /** Training services and runtimes know no database, and nothing of what decides over them. */
  @ArchTest
  static final ArchRule COMPUTE_KNOWS_NO_OWNER_AND_NO_DATABASE =
      noClasses()
          .that()
          .resideInAPackage("io.orrery.compute..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.orrery.orchestrator..",
              "io.orrery.studio..",
              "io.orrery.tuner..",
              "io.orrery.metrics..",
              "io.orrery.router..",
              "io.orrery.cli..",
              "io.orrery.core.sql..");

  /** A job runs there, of a trial or of a step: an experiment is its owner's. */
  @ArchTest
  static final ArchRule COMPUTE_RUNS_JOBS_OF_WHICHEVER_OWNER =
      noClasses()
          .that()
          .resideInAPackage("io.orrery.compute..")
          .should()
          .dependOnClassesThat()
          .belongToAnyOf(ExperimentSpec.class, ExperimentLimits.class, ExperimentDescription.class);

  @ArchTest
  static final ArchRule ONLY_COMPUTE_SPEAKS_TO_CLUSTERS =
      noClasses()
          .that()
          .resideOutsideOfPackages(
              "io.orrery.kubernetes..", "io.orrery.compute..", "io.orrery.gateway.launch..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.orrery.kubernetes..");

  @ArchTest
  static void packagesOfAModuleHaveNoCycles(JavaClasses classes) {
    for (String module : MODULES) {
      slices()
          .matching("io.orrery." + module + ".(**)")
          .should()
          .beFreeOfCycles()
          .allowEmptyShould(true)
          .check(classes);
    }
  }

  @ArchTest
  static final ArchRule SEARCH_KNOWS_NOTHING_OF_VERTX =
      noClasses()
          .that()
          .resideInAPackage("io.orrery.tuner..")
          .and()
          .resideOutsideOfPackage("io.orrery.tuner.host..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.vertx..");

  @ArchTest
  static final ArchRule MODELS_ARE_PURE =
      noClasses()
          .that()
          .resideInAnyPackage(
              "io.orrery.orchestrator.experiment.model..", "io.orrery.orchestrator.trial..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.vertx..", "io.orrery.core.sql..", "io.orrery.core.bus");

  /** Each package of an experiment sees those before it, none after it. */
  @ArchTest
  static void packagesOfAnExperimentAreInOrder(JavaClasses classes) {
    List<String> order =
        Stream.of("model", "store", "owner", "directory", "simulation")
            .map(part -> "io.orrery.orchestrator.experiment." + part + "..")
            .toList();
    for (int i = 0; i < order.size() - 1; i++) {
      noClasses()
          .that()
          .resideInAPackage(order.get(i))
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(order.subList(i + 1, order.size()).toArray(String[]::new))
          .check(classes);
    }
  }

  @ArchTest
  static final ArchRule TIME_COMES_FROM_THE_CLOCK =
      noClasses()
          .that()
          .resideOutsideOfPackages(
              "io.orrery.core.time..", "io.orrery.cli..", "io.orrery.benchmarks..")
          .should()
          .callMethod(Instant.class, "now")
          .orShould()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(Math.class, "random");

  @ArchTest
  static final ArchRule SQL_IS_SPOKEN_IN_ONE_PLACE =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.orrery.core.sql..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("java.sql..");
}
